import Commit

/// The protocol's number of a property: `porthole_layer_v1.property`.
public enum PropertyKey: UInt32, Sendable, CaseIterable {
  case bounds = 1
  case position = 2
  case zPosition = 3
  case anchorPoint = 4
  case anchorPointZ = 5
  case transform = 6
  case sublayerTransform = 7
  case isDoubleSided = 8
  case isHidden = 16
  case opacity = 17
  case allowsGroupOpacity = 18
  case masksToBounds = 19
  case backgroundColor = 20
  case cornerRadius = 21
  case maskedCorners = 22
  case borderWidth = 23
  case borderColor = 24
  case snapsToPixels = 25
  case allowsEdgeAntialiasing = 26
  case edgeAntialiasingMask = 27
  case contentsRect = 32
  case contentsGravity = 33
  case contentsScale = 34
  case magnificationFilter = 35
  case gradient = 36
  case filters = 37
  case shadow = 38
  case blendMode = 39
  case lens = 40
  case sortsSublayersByDepth = 41
  case backdropFilters = 42
  case backdropGroup = 43
  case contentsCenter = 44
  case minificationFilter = 45
  case replication = 46
  case contentsFrame = 47
  case allowsHitTesting = 48
  case isSecure = 49
  case hidesSourceLayer = 64
  case hidesSourceLayerInOtherPortals = 65
  case matchesPosition = 66
  case matchesTransform = 67
  case matchesOpacity = 68
  case sourceLayerOpacityScale = 69
  case sourceRect = 70
  case recursion = 71
  case sampling = 72
  case sourceLifetime = 73
  case forwardsHitTestingToSource = 74
  case allowsBackdropGroups = 75
}
