import Commit
import Geometry
import Porthole
import WaylandProtocol

/// A tree that can be made of the library's layers and of a client's objects alike.
indirect enum PairedTree {
  case node(PortholeLayerV1.Kind, [PropertyChange], name: String = "", shows: String = "", [PairedTree] = [])

  /// The library's layers.
  var layer: Layer {
    var named: [String: Layer] = [:]
    let root = make(&named)
    link(root, named)
    return root
  }

  /// A client's objects; what it sends is not committed yet.
  func send(to client: TestClient) throws -> Proxy<PortholeLayerV1> {
    var named: [String: Proxy<PortholeLayerV1>] = [:]
    var portals: [(Proxy<PortholeLayerV1>, String)] = []
    let root = try send(to: client, &named, &portals)
    for (portal, name) in portals { portal.setSourceLayer(source: named[name]) }
    return root
  }

  private func send(
    to client: TestClient, _ named: inout [String: Proxy<PortholeLayerV1>],
    _ portals: inout [(Proxy<PortholeLayerV1>, String)]
  ) throws -> Proxy<PortholeLayerV1> {
    guard case .node(let kind, let properties, let name, let shows, let sublayers) = self else {
      return try client.layer()
    }
    let layer = try client.layer(kind)
    try client.set(layer, properties)
    if !name.isEmpty { named[name] = layer }
    if !shows.isEmpty { portals.append((layer, shows)) }
    for sublayer in sublayers {
      layer.insertSublayer(child: try sublayer.send(to: client, &named, &portals), index: .max)
    }
    return layer
  }

  private func make(_ named: inout [String: Layer]) -> Layer {
    guard case .node(let kind, let properties, let name, let shows, let sublayers) = self else { return Layer() }
    let layer = kind == .portal ? PortalLayer() : kind == .gradient ? GradientLayer() : Layer()
    for property in properties { layer.take(property) }
    if !name.isEmpty { named[name] = layer }
    layer.name = shows
    for sublayer in sublayers { layer.addSublayer(sublayer.make(&named)) }
    return layer
  }

  private func link(_ layer: Layer, _ named: [String: Layer]) {
    if let portal = layer as? PortalLayer, let name = layer.name { portal.sourceLayer = named[name] }
    for sublayer in layer.sublayers { link(sublayer, named) }
  }
}

extension Layer {
  fileprivate func take(_ property: PropertyChange) {
    switch property {
    case .bounds(let value): bounds = value
    case .position(let value): position = value
    case .anchorPoint(let value): anchorPoint = value
    case .zPosition(let value): zPosition = value
    case .transform(let value): transform = value
    case .opacity(let value): opacity = value
    case .backgroundColor(let value): backgroundColor = value
    case .cornerRadius(let value): cornerRadius = value
    case .masksToBounds(let value): masksToBounds = value
    case .borderWidth(let value): borderWidth = value
    case .borderColor(let value): borderColor = value
    case .isHidden(let value): isHidden = value
    case .hidesSourceLayer(let value): (self as? PortalLayer)?.hidesSourceLayer = value
    case .matchesPosition(let value): (self as? PortalLayer)?.matchesPosition = value
    case .matchesTransform(let value): (self as? PortalLayer)?.matchesTransform = value
    case .matchesOpacity(let value): (self as? PortalLayer)?.matchesOpacity = value
    case .recursion(let value): (self as? PortalLayer)?.recursion = value
    case .sourceRect(let value): (self as? PortalLayer)?.sourceRect = value
    default: break
    }
  }
}

extension PairedTree {
  private static func frame(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> [PropertyChange] {
    [.anchorPoint(.zero), .position(Point(x, y)), .bounds(Rect(x: 0, y: 0, width: width, height: height))]
  }

  private static func color(_ red: Float, _ green: Float, _ blue: Float, _ alpha: Float = 1) -> PropertyChange {
    .backgroundColor(Color(red: red, green: green, blue: blue, alpha: alpha))
  }

  /// A source with two sublayers, group opacity and rounded corners.
  private static var source: PairedTree {
    .node(
      .layer, frame(2, 3, 18, 16) + [color(0.2, 0.4, 0.9), .cornerRadius(5), .masksToBounds(true), .opacity(0.7)],
      name: "source",
      [
        .node(.layer, frame(4, 4, 10, 20) + [color(1, 0.5, 0, 0.6)]),
        .node(
          .layer,
          frame(6, 2, 6, 6) + [
            color(0, 0.8, 0.3), .transform(.rotation(angle: 0.4)), .borderWidth(1.5),
            .borderColor(Color(red: 0, green: 0, blue: 0)),
          ]),
      ])
  }

  static var all: [PairedTree] {
    let root = frame(0, 0, 48, 40)
    return [
      .node(.layer, root + [color(0.9, 0.9, 0.8)], [source]),
      .node(.layer, root, [source, .node(.portal, frame(24, 18, 18, 16) + [color(1, 1, 0, 0.3)], shows: "source")]),
      .node(
        .layer, root,
        [
          source,
          .node(.portal, frame(24, 2, 18, 16) + [.hidesSourceLayer(true), .opacity(0.5)], shows: "source"),
          .node(
            .portal, frame(26, 20, 18, 16) + [.matchesOpacity(true), .transform(.rotation(angle: 0.3))],
            shows: "source"),
          .node(.portal, frame(4, 22, 12, 8) + [.sourceRect(Rect(x: 3, y: 3, width: 9, height: 9))], shows: "source"),
        ]),
      .node(
        .layer, root + [color(0.1, 0.1, 0.1)],
        [
          source,
          .node(.portal, frame(30, 20, 5, 5) + [.matchesPosition(true), .matchesTransform(true)], shows: "source"),
        ]),
      .node(
        .layer, root + [color(0.5, 0.6, 0.7)], name: "all",
        [
          source,
          .node(
            .portal, frame(24, 16, 20, 20) + [.recursion(.depth(3)), .transform(.scale(x: 0.5, y: 0.5))],
            shows: "all"),
        ]),
    ]
  }
}
