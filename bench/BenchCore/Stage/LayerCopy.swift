import Commit
import Geometry
import Porthole

/// Copies of a layer with its sublayers, as an application would build it again: pictures are shared, layers are not.
struct LayerCopy {
  let root: Layer
  /// The copy of the layer that moves.
  let spinner: Layer
  /// What the layers came from, where they are a file's own: what they refer to lives as long as they do.
  private var scene: Scene?

  /// A layer of a scene that nobody else has, and the one in it that moves.
  init(_ root: Layer, moving spinner: Layer, of scene: Scene) {
    (self.root, self.spinner, self.scene) = (root, spinner, scene)
  }

  /// A layer of a scene that nobody else has, within another of its size, and it is that one which is shown: a portal shows
  /// all that a layer holds, and neither the opacity nor the place of the layer itself.
  init(framing layer: Layer, of scene: Scene) {
    let frame = Layer()
    let size = layer.bounds.size
    frame.bounds = Rect(size: size)
    frame.position = layer.position
    frame.addSublayer(layer)
    layer.transform = .identity
    layer.position = Point(size.width * layer.anchorPoint.x, size.height * layer.anchorPoint.y)
    self.init(frame, moving: layer, of: scene)
  }

  /// Nil unless `spinner` is a sublayer of `root`, at any depth.
  init?(of root: Layer, spinner: Layer) {
    var found: Layer?
    let copy = Self.copy(root) { original, copy in
      if original === spinner { found = copy }
    }
    guard let found else { return nil }
    self.root = copy
    self.spinner = found
  }

  private static func copy(_ layer: Layer, _ seen: (Layer, Layer) -> Void) -> Layer {
    let copy: Layer
    if let gradient = layer as? GradientLayer {
      let new = GradientLayer()
      new.colors = gradient.colors
      new.locations = gradient.locations
      new.startPoint = gradient.startPoint
      new.endPoint = gradient.endPoint
      copy = new
    } else {
      copy = Layer()
    }
    copy.bounds = layer.bounds
    copy.position = layer.position
    copy.zPosition = layer.zPosition
    copy.anchorPoint = layer.anchorPoint
    copy.transform = layer.transform
    copy.sublayerTransform = layer.sublayerTransform
    copy.isHidden = layer.isHidden
    copy.opacity = layer.opacity
    copy.masksToBounds = layer.masksToBounds
    copy.backgroundColor = layer.backgroundColor
    copy.cornerRadius = layer.cornerRadius
    copy.maskedCorners = layer.maskedCorners
    copy.borderWidth = layer.borderWidth
    copy.borderColor = layer.borderColor
    copy.contents = layer.contents
    copy.contentsRect = layer.contentsRect
    copy.contentsGravity = layer.contentsGravity
    copy.contentsScale = layer.contentsScale
    copy.magnificationFilter = layer.magnificationFilter
    seen(layer, copy)
    for sublayer in layer.sublayers { copy.addSublayer(Self.copy(sublayer, seen)) }
    return copy
  }
}
