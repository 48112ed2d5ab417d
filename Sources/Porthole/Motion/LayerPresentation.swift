import Commit
import Geometry

/// What a renderer showed of a layer in its last frame (`CALayer.presentation()`): the layer's own values, with what
/// animations make of them.
public struct LayerPresentation: Sendable {
  public var bounds: Rect
  public var position: Point
  public var zPosition: Double
  public var anchorPoint: Point
  public var anchorPointZ: Double
  public var transform: Transform3D
  public var sublayerTransform: Transform3D
  public var isHidden: Bool
  public var opacity: Float
  public var backgroundColor: Color
  public var cornerRadius: Double
  public var borderWidth: Double
  public var borderColor: Color
  public var contentsRect: Rect
  public var contentsScale: Double
  public var shadow: Shadow?
  public var filters: [Filter]

  init(_ layer: Layer, _ moved: [PropertyChange]) {
    bounds = layer.bounds
    position = layer.position
    zPosition = layer.zPosition
    anchorPoint = layer.anchorPoint
    anchorPointZ = layer.anchorPointZ
    transform = layer.transform
    sublayerTransform = layer.sublayerTransform
    isHidden = layer.isHidden
    opacity = layer.opacity
    backgroundColor = layer.backgroundColor
    cornerRadius = layer.cornerRadius
    borderWidth = layer.borderWidth
    borderColor = layer.borderColor
    contentsRect = layer.contentsRect
    contentsScale = layer.contentsScale
    shadow = layer.shadow
    filters = layer.filters
    for change in moved { take(change) }
  }

  private mutating func take(_ change: PropertyChange) {
    switch change {
    case .bounds(let value): bounds = value
    case .position(let value): position = value
    case .zPosition(let value): zPosition = value
    case .anchorPoint(let value): anchorPoint = value
    case .anchorPointZ(let value): anchorPointZ = value
    case .transform(let value): transform = value
    case .sublayerTransform(let value): sublayerTransform = value
    case .isHidden(let value): isHidden = value
    case .opacity(let value): opacity = value
    case .backgroundColor(let value): backgroundColor = value
    case .cornerRadius(let value): cornerRadius = value
    case .borderWidth(let value): borderWidth = value
    case .borderColor(let value): borderColor = value
    case .contentsRect(let value): contentsRect = value
    case .contentsScale(let value): contentsScale = value
    case .shadow(let value): shadow = value
    case .filters(let value): filters = value
    default: break
    }
  }
}
