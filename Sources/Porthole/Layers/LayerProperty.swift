/// A property whose changes are committed; its bit in a `LayerPropertySet` is its raw value.
enum LayerProperty: UInt8, CaseIterable {
  case name
  case bounds, position, zPosition, anchorPoint, anchorPointZ, transform, sublayerTransform, isDoubleSided
  case isHidden, opacity, allowsGroupOpacity, masksToBounds
  case snapsToPixels, allowsEdgeAntialiasing, edgeAntialiasingMask, isSecure
  case backgroundColor, cornerRadius, maskedCorners, borderWidth, borderColor
  case contents, contentsRect, contentsCenter, contentsGravity, contentsScale, magnificationFilter
  case minificationFilter, contentsFrame, gradient, replication
  case shadow, filters, mask, blendMode, lens, sortsSublayersByDepth
  case backdropFilters, backdropGroup
  case allowsHitTesting
  case sourceLayer, hidesSourceLayer, hidesSourceLayerInOtherPortals
  case matchesPosition, matchesTransform, matchesOpacity, sourceLayerOpacityScale
  case sourceRect, recursion, sampling, sourceLifetime, forwardsHitTestingToSource
  case allowsBackdropGroups, overrides
}

extension LayerProperty {
  /// Whether a layer that makes its own contents has a value of its own making.
  var isDrawn: Bool { self == .contents || self == .contentsFrame }
}

/// Properties as bits, so that noting a change is one instruction and noting it twice costs no more. Iterated in the order
/// of the enumeration.
struct LayerPropertySet: Equatable, Sequence, IteratorProtocol {
  private var bits: UInt64 = 0

  var isEmpty: Bool { bits == 0 }

  func contains(_ property: LayerProperty) -> Bool { bits & 1 << UInt64(property.rawValue) != 0 }

  mutating func insert(_ property: LayerProperty) { bits |= 1 << UInt64(property.rawValue) }

  mutating func removeAll() { bits = 0 }

  /// Takes the first property out.
  mutating func next() -> LayerProperty? {
    guard bits != 0 else { return nil }
    defer { bits &= bits - 1 }
    return LayerProperty(rawValue: UInt8(bits.trailingZeroBitCount))
  }
}
