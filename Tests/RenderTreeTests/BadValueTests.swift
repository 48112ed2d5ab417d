import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Values that can't be are refused by the name of their property, and leave the tree as it was")
struct BadValueTests {
  private static let nan = Double.nan
  private static let color = Color(red: .nan, green: 0, blue: 0)
  private static let stop = Gradient.Stop(location: 0, color: .black)

  /// Every property that holds numbers, with one that is none.
  static let notFinite: [PropertyChange] = [
    .bounds(Rect(x: 0, y: 0, width: nan, height: 1)), .position(Point(nan, 0)), .zPosition(nan),
    .anchorPoint(Point(0, nan)), .anchorPointZ(-.infinity), .transform(Transform3D(m34: nan)),
    .sublayerTransform(Transform3D(m44: .infinity)), .opacity(.nan), .backgroundColor(color), .cornerRadius(nan),
    .borderWidth(.infinity), .borderColor(color), .contentsRect(Rect(x: nan, y: 0, width: 1, height: 1)),
    .contentsCenter(Rect(x: 0, y: nan, width: 1, height: 1)), .contentsScale(nan),
    .contentsFrame(Rect(x: 0, y: 0, width: 1, height: .infinity)),
    .gradient(Gradient(start: Point(nan, 0), stops: [stop])),
    .gradient(Gradient(stops: [.init(location: nan, color: .black)])),
    .gradient(Gradient(stops: [.init(location: 0, color: color)])), .shadow(Shadow(color: color)),
    .shadow(Shadow(radius: nan)), .filters([.gaussianBlur(radius: nan)]), .backdropFilters([.hueRotate(degrees: nan)]),
    .lens(Lens(rim: nan)), .lens(Lens(shapes: [.init(rect: Rect(x: nan, y: 0, width: 1, height: 1))])),
    .replication(Replication(instanceDelay: nan)), .sourceLayerOpacityScale(.nan),
    .sourceRect(Rect(x: 0, y: 0, width: nan, height: 1)), .overrides([PortalOverride(.zPosition(nan))]),
  ]

  /// Every property with a range, beyond it.
  static let outOfRange: [PropertyChange] = [
    .cornerRadius(-1), .borderWidth(-0.5), .contentsScale(0), .contentsScale(-1),
    .contentsCenter(Rect(x: 0, y: 0, width: 2, height: 1)), .gradient(Gradient(stops: [])), .shadow(Shadow(radius: -1)),
    .filters([.gaussianBlur(radius: -1)]), .filters([.sepia(-1)]), .backdropFilters([.gaussianBlur(radius: -1)]),
    .backdropGroup(String(repeating: "g", count: 257)), .lens(Lens(rim: -1)), .lens(Lens(refractiveIndex: 0)),
    .lens(Lens(shapes: Array(repeating: .init(rect: .zero), count: Lens.maxShapes + 1))),
    .replication(Replication(instanceCount: -1)), .recursion(.depth(0)),
    .overrides([PortalOverride(.cornerRadius(-1))]),
    .overrides([PortalOverride(.isSecure(false))]),
  ]

  private func refuse(_ property: PropertyChange, _ code: CommitError.Code) throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [], [.portal(2, of: 1, x: 0, y: 0, 5, 5)]))
    let before = (tree.version, tree.snapshot(root: 1).nodes.map { "\($0)" })
    // What comes before it in the commit does not count either.
    let commit = Commit([.set(LayerID(rawValue: 1), .opacity(0.5)), .set(LayerID(rawValue: 2), property)])
    let error = #expect(throws: CommitError.self, "\(property)") { try tree.apply(commit) }
    #expect(error?.code == code && error?.layer.rawValue == 2 && error?.property == property.name, "\(property)")
    #expect(tree.version == before.0 && tree.snapshot(root: 1).nodes.map { "\($0)" } == before.1)
  }

  @Test("what is no number", arguments: notFinite.indices)
  func numbers(_ index: Int) throws { try refuse(Self.notFinite[index], .notFinite) }

  @Test("what is out of range", arguments: outOfRange.indices)
  func ranges(_ index: Int) throws { try refuse(Self.outOfRange[index], .outOfRange) }

  @Test("a mask that masks itself, or what it stands in")
  func masks() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [], [.box(2, x: 0, y: 0, 5, 5)]))
    for (masked, mask) in [(1, 1), (2, 2), (2, 1)] as [(UInt64, UInt64)] {
      let error = #expect(throws: CommitError.self) { try tree.set(masked, .mask(LayerID(rawValue: mask))) }
      #expect(error?.code == .cycle && error?.property == "mask")
    }
  }
}
