import Commit
import Geometry
import RenderTree

/// A layer as a value, to build trees in tests and to rewrite them: what differs from the defaults, and sublayers.
public struct TestLayer: Sendable {
  public var id: LayerID
  public var kind: LayerKind
  public var properties: [PropertyChange]
  public var sublayers: [TestLayer]
  /// One or none.
  public var masks: [TestLayer] = []
  /// They begin when the tree is made.
  public var animations: [Animation] = []

  public init(
    _ id: UInt64, _ kind: LayerKind = .layer, _ properties: [PropertyChange] = [], _ sublayers: [TestLayer] = []
  ) {
    self.id = LayerID(rawValue: id)
    self.kind = kind
    self.properties = properties
    self.sublayers = sublayers
  }

  /// An upright layer with its top left corner at (x, y) of its parent.
  public static func box(
    _ id: UInt64, x: Double, y: Double, _ width: Double, _ height: Double, color: Color = .clear,
    _ properties: [PropertyChange] = [], _ sublayers: [TestLayer] = []
  ) -> TestLayer {
    TestLayer(
      id, .layer,
      [
        .bounds(Rect(x: 0, y: 0, width: width, height: height)), .position(Point(x + width / 2, y + height / 2)),
        .backgroundColor(color),
      ] + properties, sublayers)
  }

  /// The same as `box`, a portal of `source`.
  public static func portal(
    _ id: UInt64, of source: UInt64, x: Double, y: Double, _ width: Double, _ height: Double,
    _ properties: [PropertyChange] = [], _ sublayers: [TestLayer] = []
  ) -> TestLayer {
    var layer = box(id, x: x, y: y, width, height, properties, sublayers)
    layer.kind = .portal
    layer.properties.append(.sourceLayer(LayerID(rawValue: source)))
    return layer
  }

  /// Every layer of the subtree with `change` made to it.
  public func mapping(_ change: (TestLayer) -> TestLayer) -> TestLayer {
    var copy = change(self)
    copy.sublayers = copy.sublayers.map { $0.mapping(change) }
    copy.masks = copy.masks.map { $0.mapping(change) }
    return copy
  }

  /// The layer of that name in the subtree.
  public func find(_ id: LayerID) -> TestLayer? {
    if self.id == id { return self }
    for sublayer in sublayers + masks {
      if let found = sublayer.find(id) { return found }
    }
    return nil
  }

  public var count: Int { (sublayers + masks).reduce(1) { $0 + $1.count } }

  /// With this layer as mask.
  public func masked(by mask: TestLayer) -> TestLayer {
    var copy = self
    copy.masks = [mask]
    return copy
  }
}

extension RenderTree {
  /// A tree with these roots. Portals are set last, when every source exists.
  public init(_ roots: TestLayer...) throws {
    try self.init(roots: roots)
  }

  public init(roots: [TestLayer], at time: Double = 0) throws {
    self.init()
    advance(to: time)
    var creation = Commit()
    var sources = Commit()
    func add(_ layer: TestLayer, to parent: TestLayer?) {
      creation.changes.append(.create(layer.id, layer.kind))
      for property in layer.properties {
        if case .sourceLayer = property {
          sources.changes.append(.set(layer.id, property))
        } else {
          creation.changes.append(.set(layer.id, property))
        }
      }
      if let parent { creation.changes.append(.insert(layer.id, into: parent.id, at: .max)) }
      for (index, animation) in layer.animations.enumerated() {
        sources.changes.append(.addAnimation(layer.id, key: "\(index)", animation))
      }
      for sublayer in layer.sublayers { add(sublayer, to: layer) }
      for mask in layer.masks {
        add(mask, to: nil)
        creation.changes.append(.set(layer.id, .mask(mask.id)))
      }
    }
    for root in roots { add(root, to: nil) }
    try apply(creation)
    try apply(sources)
  }

  public mutating func set(_ layer: UInt64, _ properties: PropertyChange...) throws {
    try apply(Commit(properties.map { .set(LayerID(rawValue: layer), $0) }))
  }

  public mutating func snapshot(root: UInt64) -> Snapshot { snapshot(root: LayerID(rawValue: root)) }
}

extension Snapshot {
  public func node(_ layer: UInt64) -> SnapshotNode? {
    index(of: LayerID(rawValue: layer)).map { nodes[Int($0)] }
  }

  public func portal(_ layer: UInt64) -> SnapshotPortal? {
    node(layer).flatMap { $0.portal >= 0 ? portals[Int($0.portal)] : nil }
  }
}
