import Commit
import Geometry

/// What a layer's properties are set to, and what they are to begin with.
struct LayerValues {
  var name: String?
  var bounds = Rect.zero
  var position = Point.zero
  var zPosition = 0.0
  var anchorPoint = Point(0.5, 0.5)
  var anchorPointZ = 0.0
  var transform = Transform3D.identity
  var sublayerTransform = Transform3D.identity
  var sortsSublayersByDepth = true
  var isDoubleSided = true
  var isHidden = false
  var opacity: Float = 1
  var allowsGroupOpacity = true
  var masksToBounds = false
  var backgroundColor = Color.clear
  var cornerRadius = 0.0
  var snapsToPixels = false
  var allowsEdgeAntialiasing = true
  var edgeAntialiasingMask = EdgeMask.all
  var isSecure = false
  var maskedCorners = CornerMask.all
  var borderWidth = 0.0
  var borderColor = Color.black
  var contents: Image?
  var contentsRect = Rect(x: 0, y: 0, width: 1, height: 1)
  var contentsCenter = Rect(x: 0, y: 0, width: 1, height: 1)
  var contentsGravity = ContentsGravity.resize
  var contentsScale = 1.0
  var magnificationFilter = MagnificationFilter.linear
  var minificationFilter = MinificationFilter.linear
  var shadow: Shadow?
  var blendMode = BlendMode.normal
  var lens: Lens?
  var allowsHitTesting = true
  var filters: [Filter] = []
}

/// Puts a value in the place of another; whether it is one.
@inline(__always)
func changes<Value: Equatable>(_ value: inout Value, to new: Value) -> Bool {
  guard value != new else { return false }
  value = new
  return true
}
