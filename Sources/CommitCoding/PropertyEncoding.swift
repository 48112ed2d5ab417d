import Commit
import Geometry

extension PropertyRecords {
  /// The most stops that a gradient's record holds.
  public static let maxStops = 96
  /// The most bytes of a name.
  public static let maxNameBytes = 256
  /// The most numbers that a record of filters holds.
  public static let maxFilterNumbers = 480

  /// Appends a record for the change.
  /// - Returns: False, with nothing appended, for names, contents, masks, sources and overrides, which the protocol has requests for.
  /// - Throws: `tooLong`, with nothing appended.
  @discardableResult
  public mutating func append(_ change: PropertyChange) throws(PropertyRecordError) -> Bool {
    switch change {
    case .bounds(let value): put(.bounds, value)
    case .position(let value): put(.position, value)
    case .zPosition(let value): put(.zPosition, value)
    case .anchorPoint(let value): put(.anchorPoint, value)
    case .anchorPointZ(let value): put(.anchorPointZ, value)
    case .transform(let value): put(.transform, value)
    case .sublayerTransform(let value): put(.sublayerTransform, value)
    case .isDoubleSided(let value): put(.isDoubleSided, value)
    case .isHidden(let value): put(.isHidden, value)
    case .opacity(let value): put(.opacity, Double(value))
    case .allowsGroupOpacity(let value): put(.allowsGroupOpacity, value)
    case .masksToBounds(let value): put(.masksToBounds, value)
    case .backgroundColor(let value): put(.backgroundColor, value)
    case .cornerRadius(let value): put(.cornerRadius, value)
    case .maskedCorners(let value): put(.maskedCorners, Double(value.intersection(.all).rawValue))
    case .borderWidth(let value): put(.borderWidth, value)
    case .borderColor(let value): put(.borderColor, value)
    case .name, .contents, .mask, .overrides: return false
    case .snapsToPixels(let value): put(.snapsToPixels, value)
    case .allowsEdgeAntialiasing(let value): put(.allowsEdgeAntialiasing, value)
    case .edgeAntialiasingMask(let value): put(.edgeAntialiasingMask, Double(value.intersection(.all).rawValue))
    case .isSecure(let value): put(.isSecure, value)
    case .contentsCenter(let value): put(.contentsCenter, value)
    case .minificationFilter(let value): put(.minificationFilter, Double(value.wireNumber))
    case .replication(let value): put(value)
    case .shadow(let value): put(value)
    case .contentsRect(let value): put(.contentsRect, value)
    case .contentsGravity(let value): put(.contentsGravity, Double(value.wireNumber))
    case .contentsScale(let value): put(.contentsScale, value)
    case .magnificationFilter(let value): put(.magnificationFilter, Double(value.wireNumber))
    case .contentsFrame(let value):
      if let value { put(.contentsFrame, value) } else { begin(.contentsFrame, 0) }
    case .gradient(let value): try put(value)
    case .filters(let value): try put(.filters, value)
    case .backdropFilters(let value): try put(.backdropFilters, value)
    case .backdropGroup(let value): try put(.backdropGroup, value)
    case .blendMode(let value): put(.blendMode, Double(value.wireNumber))
    case .lens(let value): put(value)
    case .sortsSublayersByDepth(let value): put(.sortsSublayersByDepth, value)
    case .allowsHitTesting(let value): put(.allowsHitTesting, value)
    case .sourceLayer: return false
    case .hidesSourceLayer(let value): put(.hidesSourceLayer, value)
    case .hidesSourceLayerInOtherPortals(let value): put(.hidesSourceLayerInOtherPortals, value)
    case .matchesPosition(let value): put(.matchesPosition, value)
    case .matchesTransform(let value): put(.matchesTransform, value)
    case .matchesOpacity(let value): put(.matchesOpacity, value)
    case .sourceLayerOpacityScale(let value): put(.sourceLayerOpacityScale, Double(value))
    case .sourceRect(let value):
      if let value { put(.sourceRect, value) } else { begin(.sourceRect, 0) }
    case .recursion(let value): put(value)
    case .sampling(let value): put(.sampling, Double(value.wireNumber))
    case .sourceLifetime(let value): put(.sourceLifetime, Double(value.wireNumber))
    case .forwardsHitTestingToSource(let value): put(.forwardsHitTestingToSource, value)
    case .allowsBackdropGroups(let value): put(.allowsBackdropGroups, value)
    }
    return true
  }

  private mutating func put(_ key: PropertyKey, _ value: Double) {
    begin(key, 1)
    append(value)
  }

  private mutating func put(_ key: PropertyKey, _ value: Bool) { put(key, value ? 1.0 : 0.0) }

  private mutating func put(_ key: PropertyKey, _ value: Point) {
    begin(key, 2)
    append(value.x)
    append(value.y)
  }

  private mutating func put(_ key: PropertyKey, _ value: Rect) {
    begin(key, 4)
    append(value.x)
    append(value.y)
    append(value.width)
    append(value.height)
  }

  private mutating func put(_ key: PropertyKey, _ value: Color) {
    begin(key, 4)
    append(value)
  }

  private mutating func append(_ value: Color) {
    append(Double(value.red))
    append(Double(value.green))
    append(Double(value.blue))
    append(Double(value.alpha))
  }

  private mutating func put(_ key: PropertyKey, _ m: Transform3D) {
    begin(key, 16)
    append(m)
  }

  private mutating func append(_ m: Transform3D) {
    append(m.m11)
    append(m.m12)
    append(m.m13)
    append(m.m14)
    append(m.m21)
    append(m.m22)
    append(m.m23)
    append(m.m24)
    append(m.m31)
    append(m.m32)
    append(m.m33)
    append(m.m34)
    append(m.m41)
    append(m.m42)
    append(m.m43)
    append(m.m44)
  }

  private mutating func put(_ value: Replication) {
    begin(.replication, 26)
    append(Double(Int32(clamping: value.instanceCount)))
    append(value.instanceTransform)
    append(value.instanceColor)
    append(Double(value.instanceRedOffset))
    append(Double(value.instanceGreenOffset))
    append(Double(value.instanceBlueOffset))
    append(Double(value.instanceAlphaOffset))
    append(value.instanceDelay)
  }

  private mutating func put(_ value: PortalRecursion) {
    begin(.recursion, 2)
    switch value {
    case .none:
      append(0)
      append(0)
    case .depth(let levels):
      append(1)
      append(Double(Int32(clamping: levels)))
    case .previousFrame:
      append(2)
      append(0)
    }
  }

  private mutating func put(_ shadow: Shadow?) {
    guard let shadow else { return begin(.shadow, 0) }
    begin(.shadow, shadow.path == nil ? 8 : 13)
    append(shadow.color)
    append(Double(shadow.opacity))
    append(shadow.radius)
    append(shadow.offset.x)
    append(shadow.offset.y)
    guard let path = shadow.path else { return }
    append(path.rect.x)
    append(path.rect.y)
    append(path.rect.width)
    append(path.rect.height)
    append(path.radius)
  }

  /// A gradient without stops draws nothing, as none does.
  private mutating func put(_ value: Gradient?) throws(PropertyRecordError) {
    guard let value, !value.stops.isEmpty else { return begin(.gradient, 0) }
    let count = 5 + 5 * value.stops.count
    guard value.stops.count <= Self.maxStops else { throw tooLong(.gradient, count) }
    begin(.gradient, count)
    append(Double(value.type.wireNumber))
    append(value.start.x)
    append(value.start.y)
    append(value.end.x)
    append(value.end.y)
    for stop in value.stops {
      append(stop.location)
      append(stop.color)
    }
  }

  private func tooLong(_ key: PropertyKey, _ count: Int) -> PropertyRecordError {
    PropertyRecordError(fault: .tooLong, key: key.rawValue, offset: byteCount, count: UInt32(clamping: count))
  }

  private mutating func put(_ lens: Lens?) {
    guard let lens else { return begin(.lens, 0) }
    begin(.lens, PropertyFields.lensNumbers + 5 * lens.shapes.count)
    append(Double(lens.subject.wireNumber))
    append(lens.smoothing)
    append(lens.rim)
    append(lens.thickness)
    append(lens.refractiveIndex)
    append(lens.chromaticSpread)
    append(lens.highlight)
    append(lens.highlightWidth)
    append(lens.lightAngle)
    for shape in lens.shapes {
      append(shape.rect.x)
      append(shape.rect.y)
      append(shape.rect.width)
      append(shape.rect.height)
      append(shape.radius)
    }
  }

  /// The bytes of a name, a number for each; none stands for no name.
  private mutating func put(_ key: PropertyKey, _ name: String?) throws(PropertyRecordError) {
    let bytes = (name ?? "").utf8
    guard bytes.count <= Self.maxNameBytes else { throw tooLong(key, bytes.count) }
    begin(key, bytes.count)
    for byte in bytes { append(Double(byte)) }
  }

  private mutating func put(_ key: PropertyKey, _ filters: [Filter]) throws(PropertyRecordError) {
    let count = filters.reduce(0) { $0 + $1.wireCount }
    guard count <= Self.maxFilterNumbers else { throw tooLong(key, count) }
    begin(key, count)
    for filter in filters {
      append(Double(filter.wireNumber))
      switch filter {
      case .gaussianBlur(let value), .brightness(let value), .contrast(let value), .saturate(let value),
        .grayscale(let value), .invert(let value), .sepia(let value), .hueRotate(let value), .opacity(let value):
        append(value)
      case .colorMatrix(let matrix):
        for row in 0..<4 {
          for column in [matrix.red, matrix.green, matrix.blue, matrix.alpha, matrix.constant] {
            append(Double(column[row]))
          }
        }
      }
    }
  }
}
