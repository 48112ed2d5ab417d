import Commit
import CommitCoding
import Geometry
import TestSupport

/// Random values of every property that has a record.
struct RandomProperties {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func number() -> Double { Double.random(in: -1e6...1e6, using: &generator) }
  mutating func float() -> Float { Float.random(in: -10...10, using: &generator) }
  mutating func flag() -> Bool { Bool.random(using: &generator) }
  mutating func point() -> Point { Point(number(), number()) }
  mutating func rect() -> Rect { Rect(x: number(), y: number(), width: number(), height: number()) }
  mutating func color() -> Color { Color(red: float(), green: float(), blue: float(), alpha: float()) }
  mutating func transform() -> Transform3D { Transform3D((0..<16).map { _ in number() }) ?? .identity }

  mutating func choice<Choice: CaseIterable>(_: Choice.Type) -> Choice where Choice.AllCases == [Choice] {
    Choice.allCases[Int.random(in: 0..<Choice.allCases.count, using: &generator)]
  }

  mutating func recursion() -> PortalRecursion {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: PortalRecursion.none
    case 1: .depth(Int.random(in: -5...200, using: &generator))
    default: .previousFrame
    }
  }

  mutating func gradient() -> Gradient? {
    guard flag() else { return nil }
    let stops = (0..<Int.random(in: 1...PropertyRecords.maxStops, using: &generator)).map { _ in
      Gradient.Stop(location: number(), color: color())
    }
    return Gradient(type: choice(GradientType.self), start: point(), end: point(), stops: stops)
  }

  mutating func shadow() -> Shadow? {
    guard flag() else { return nil }
    return Shadow(
      color: color(), opacity: float(), radius: number(), offset: point(),
      path: flag() ? Shadow.Path(rect: rect(), radius: number()) : nil)
  }

  mutating func lens() -> Lens? {
    guard flag() else { return nil }
    return Lens(
      subject: choice(Lens.Subject.self),
      shapes: (0..<Int.random(in: 0...Lens.maxShapes, using: &generator)).map { _ in
        Lens.Shape(rect: rect(), radius: number())
      }, smoothing: number(), rim: number(), thickness: number(), refractiveIndex: number(), chromaticSpread: number(),
      highlight: color(), highlightWidth: number(), lightAngle: number())
  }

  /// Some have letters of several bytes.
  mutating func name() -> String? {
    guard flag() else { return nil }
    let letters: [Character] = ["a", "Z", " ", "é", "窓", "😀", "\u{0}"]
    return String(
      (0..<Int.random(in: 1...64, using: &generator)).map { _ in
        letters[Int.random(in: 0..<letters.count, using: &generator)]
      })
  }

  mutating func filter(_ kind: Int) -> Filter {
    switch kind {
    case 0: .gaussianBlur(radius: number())
    case 1: .brightness(number())
    case 2: .contrast(number())
    case 3: .saturate(number())
    case 4: .grayscale(number())
    case 5: .invert(number())
    case 6: .sepia(number())
    case 7: .hueRotate(degrees: number())
    case 8: .opacity(number())
    default: .colorMatrix(ColorMatrix(rows: (0..<20).map { _ in Double(float()) }) ?? .identity)
    }
  }

  mutating func change(_ key: PropertyKey) -> PropertyChange {
    switch key {
    case .bounds: .bounds(rect())
    case .position: .position(point())
    case .zPosition: .zPosition(number())
    case .anchorPoint: .anchorPoint(point())
    case .anchorPointZ: .anchorPointZ(number())
    case .transform: .transform(transform())
    case .sublayerTransform: .sublayerTransform(transform())
    case .isDoubleSided: .isDoubleSided(flag())
    case .isHidden: .isHidden(flag())
    case .opacity: .opacity(float())
    case .allowsGroupOpacity: .allowsGroupOpacity(flag())
    case .masksToBounds: .masksToBounds(flag())
    case .backgroundColor: .backgroundColor(color())
    case .cornerRadius: .cornerRadius(number())
    case .maskedCorners: .maskedCorners(CornerMask(rawValue: .random(in: 0...15, using: &generator)))
    case .borderWidth: .borderWidth(number())
    case .borderColor: .borderColor(color())
    case .snapsToPixels: .snapsToPixels(flag())
    case .allowsEdgeAntialiasing: .allowsEdgeAntialiasing(flag())
    case .edgeAntialiasingMask: .edgeAntialiasingMask(EdgeMask(rawValue: .random(in: 0...15, using: &generator)))
    case .contentsRect: .contentsRect(rect())
    case .contentsCenter: .contentsCenter(rect())
    case .minificationFilter: .minificationFilter(choice(MinificationFilter.self))
    case .replication:
      .replication(
        Replication(
          instanceCount: .random(in: -5...70_000, using: &generator), instanceTransform: transform(),
          instanceColor: color(), instanceRedOffset: float(), instanceGreenOffset: float(),
          instanceBlueOffset: float(), instanceAlphaOffset: float(), instanceDelay: number()))
    case .contentsGravity: .contentsGravity(choice(ContentsGravity.self))
    case .contentsScale: .contentsScale(number())
    case .magnificationFilter: .magnificationFilter(choice(MagnificationFilter.self))
    case .contentsFrame: .contentsFrame(flag() ? rect() : nil)
    case .gradient: .gradient(gradient())
    case .filters: .filters((0..<Int.random(in: 0...12, using: &generator)).map { filter($0) })
    case .shadow: .shadow(shadow())
    case .blendMode: .blendMode(choice(BlendMode.self))
    case .lens: .lens(lens())
    case .sortsSublayersByDepth: .sortsSublayersByDepth(flag())
    case .backdropFilters: .backdropFilters((0..<Int.random(in: 0...12, using: &generator)).map { filter($0) })
    case .backdropGroup: .backdropGroup(name())
    case .isSecure: .isSecure(flag())
    case .allowsHitTesting: .allowsHitTesting(flag())
    case .hidesSourceLayer: .hidesSourceLayer(flag())
    case .hidesSourceLayerInOtherPortals: .hidesSourceLayerInOtherPortals(flag())
    case .matchesPosition: .matchesPosition(flag())
    case .matchesTransform: .matchesTransform(flag())
    case .matchesOpacity: .matchesOpacity(flag())
    case .sourceLayerOpacityScale: .sourceLayerOpacityScale(float())
    case .sourceRect: .sourceRect(flag() ? rect() : nil)
    case .recursion: .recursion(recursion())
    case .sampling: .sampling(choice(PortalSampling.self))
    case .sourceLifetime: .sourceLifetime(choice(SourceLifetime.self))
    case .forwardsHitTestingToSource: .forwardsHitTestingToSource(flag())
    case .allowsBackdropGroups: .allowsBackdropGroups(flag())
    }
  }
}
