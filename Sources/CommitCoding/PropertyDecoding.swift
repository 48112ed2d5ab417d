import Commit
import Geometry

extension PropertyRecords {
  /// Calls `body` with the change of each record in order, until the end or the first record that is none.
  ///
  /// Never reads outside of `bytes`, which may lie at any address and hold anything. Numbers that are not finite are
  /// passed on; a tree refuses them by name.
  /// - Throws: what is wrong with the first bad record; those before it have been passed on.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, _ body: (PropertyChange) -> Void
  ) throws(PropertyRecordError) {
    var offset = 0
    while offset < bytes.count {
      guard bytes.count - offset >= 8 else {
        throw PropertyRecordError(fault: .cutShort, key: 0, offset: offset, count: 0)
      }
      let key = UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      let count = UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
      guard Int(count) <= (bytes.count - offset - 8) / 8 else {
        throw PropertyRecordError(fault: .cutShort, key: key, offset: offset, count: count)
      }
      guard let property = PropertyKey(rawValue: key) else {
        throw PropertyRecordError(fault: .unknownKey, key: key, offset: offset, count: count)
      }
      let end = offset + 8 + 8 * Int(count)
      let numbers = unsafe UnsafeRawBufferPointer(rebasing: bytes[(offset + 8)..<end])
      let fields = unsafe PropertyFields(key: property, offset: offset, count: Int(count), bytes: numbers)
      body(try fields.change())
      offset = end
    }
  }
}

extension PropertyFields {
  /// What the record sets.
  func change() throws(PropertyRecordError) -> PropertyChange {
    switch key {
    case .bounds: return .bounds(try soleRect())
    case .position: return .position(try solePoint())
    case .zPosition: return .zPosition(try soleNumber())
    case .anchorPoint: return .anchorPoint(try solePoint())
    case .anchorPointZ: return .anchorPointZ(try soleNumber())
    case .transform: return .transform(try soleTransform())
    case .sublayerTransform: return .sublayerTransform(try soleTransform())
    case .isDoubleSided: return .isDoubleSided(try flag())
    case .isHidden: return .isHidden(try flag())
    case .opacity: return .opacity(try soleFloat())
    case .allowsGroupOpacity: return .allowsGroupOpacity(try flag())
    case .masksToBounds: return .masksToBounds(try flag())
    case .backgroundColor: return .backgroundColor(try soleColor())
    case .cornerRadius: return .cornerRadius(try soleNumber())
    case .maskedCorners:
      try require(1)
      return .maskedCorners(CornerMask(rawValue: UInt8(truncatingIfNeeded: try whole(0, in: 0...15))))
    case .borderWidth: return .borderWidth(try soleNumber())
    case .borderColor: return .borderColor(try soleColor())
    case .snapsToPixels: return .snapsToPixels(try flag())
    case .allowsEdgeAntialiasing: return .allowsEdgeAntialiasing(try flag())
    case .edgeAntialiasingMask:
      try require(1)
      return .edgeAntialiasingMask(EdgeMask(rawValue: UInt8(truncatingIfNeeded: try whole(0, in: 0...15))))
    case .contentsRect: return .contentsRect(try soleRect())
    case .contentsGravity: return .contentsGravity(try soleChoice(ContentsGravity.self))
    case .contentsScale: return .contentsScale(try soleNumber())
    case .magnificationFilter: return .magnificationFilter(try soleChoice(MagnificationFilter.self))
    case .contentsCenter: return .contentsCenter(try soleRect())
    case .minificationFilter: return .minificationFilter(try soleChoice(MinificationFilter.self))
    case .replication: return .replication(try replication())
    case .contentsFrame: return .contentsFrame(count == 0 ? nil : try soleRect())
    case .gradient: return .gradient(try gradient())
    case .filters: return .filters(try filters())
    case .backdropFilters: return .backdropFilters(try filters())
    case .backdropGroup: return .backdropGroup(try name())
    case .blendMode: return .blendMode(try soleChoice(BlendMode.self))
    case .lens: return .lens(try lens())
    case .sortsSublayersByDepth: return .sortsSublayersByDepth(try flag())
    case .shadow: return .shadow(try shadow())
    case .isSecure: return .isSecure(try flag())
    case .allowsHitTesting: return .allowsHitTesting(try flag())
    case .hidesSourceLayer: return .hidesSourceLayer(try flag())
    case .hidesSourceLayerInOtherPortals: return .hidesSourceLayerInOtherPortals(try flag())
    case .matchesPosition: return .matchesPosition(try flag())
    case .matchesTransform: return .matchesTransform(try flag())
    case .matchesOpacity: return .matchesOpacity(try flag())
    case .sourceLayerOpacityScale: return .sourceLayerOpacityScale(try soleFloat())
    case .sourceRect: return .sourceRect(count == 0 ? nil : try soleRect())
    case .recursion: return .recursion(try recursion())
    case .sampling: return .sampling(try soleChoice(PortalSampling.self))
    case .sourceLifetime: return .sourceLifetime(try soleChoice(SourceLifetime.self))
    case .forwardsHitTestingToSource: return .forwardsHitTestingToSource(try flag())
    case .allowsBackdropGroups: return .allowsBackdropGroups(try flag())
    }
  }

  private func soleNumber() throws(PropertyRecordError) -> Double {
    try require(1)
    return self[0]
  }

  private func soleFloat() throws(PropertyRecordError) -> Float {
    try require(1)
    return float(0)
  }

  private func solePoint() throws(PropertyRecordError) -> Point {
    try require(2)
    return point(0)
  }

  private func soleRect() throws(PropertyRecordError) -> Rect {
    try require(4)
    return rect(0)
  }

  private func soleColor() throws(PropertyRecordError) -> Color {
    try require(4)
    return color(0)
  }

  private func soleTransform() throws(PropertyRecordError) -> Transform3D {
    try require(16)
    return transform(0)
  }

  private func soleChoice<Choice: WireChoice>(_ type: Choice.Type) throws(PropertyRecordError) -> Choice {
    try require(1)
    return try choice(type, at: 0)
  }

  private func recursion() throws(PropertyRecordError) -> PortalRecursion {
    try require(2)
    switch try whole(0, in: 0...2) {
    case 1: return .depth(Int(try whole(1, in: Int32.min...Int32.max)))
    case 2:
      _ = try whole(1, in: 0...0)
      return .previousFrame
    default:
      _ = try whole(1, in: 0...0)
      return .none
    }
  }

  private func replication() throws(PropertyRecordError) -> Replication {
    try require(26)
    return Replication(
      instanceCount: Int(try whole(0, in: Int32.min...Int32.max)), instanceTransform: transform(1),
      instanceColor: color(17), instanceRedOffset: float(21), instanceGreenOffset: float(22),
      instanceBlueOffset: float(23), instanceAlphaOffset: float(24), instanceDelay: self[25])
  }

  private func shadow() throws(PropertyRecordError) -> Shadow? {
    if count == 0 { return nil }
    guard count == 8 || count == 13 else { throw fault(.wrongCount) }
    return Shadow(
      color: color(0), opacity: float(4), radius: self[5], offset: point(6),
      path: count == 13 ? Shadow.Path(rect: rect(8), radius: self[12]) : nil)
  }

  private func gradient() throws(PropertyRecordError) -> Gradient? {
    if count == 0 { return nil }
    guard count >= 10, count % 5 == 0, count / 5 - 1 <= PropertyRecords.maxStops else { throw fault(.wrongCount) }
    let type = try choice(GradientType.self, at: 0)
    let stops = (1..<(count / 5)).map { Gradient.Stop(location: self[5 * $0], color: color(5 * $0 + 1)) }
    return Gradient(type: type, start: point(1), end: point(3), stops: stops)
  }

  /// How many numbers a lens takes besides its shapes.
  static var lensNumbers: Int { 12 }

  private func lens() throws(PropertyRecordError) -> Lens? {
    if count == 0 { return nil }
    let shapes = (count - Self.lensNumbers) / 5
    guard count >= Self.lensNumbers, shapes <= Lens.maxShapes, count == Self.lensNumbers + 5 * shapes else {
      throw fault(.wrongCount)
    }
    return Lens(
      subject: try choice(Lens.Subject.self, at: 0),
      shapes: (0..<shapes).map {
        let first = Self.lensNumbers + 5 * $0
        return Lens.Shape(rect: rect(first), radius: self[first + 4])
      }, smoothing: self[1], rim: self[2], thickness: self[3], refractiveIndex: self[4], chromaticSpread: self[5],
      highlight: color(6), highlightWidth: self[10], lightAngle: self[11])
  }

  private func name() throws(PropertyRecordError) -> String? {
    guard count <= PropertyRecords.maxNameBytes else { throw fault(.wrongCount) }
    if count == 0 { return nil }
    var bytes: [UInt8] = []
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: try whole(index, in: 0...255))) }
    guard let name = String(validating: bytes, as: UTF8.self) else { throw fault(.wrongValue, at: 0) }
    return name
  }

  private func filters() throws(PropertyRecordError) -> [Filter] {
    guard count <= PropertyRecords.maxFilterNumbers else { throw fault(.wrongCount) }
    var filters: [Filter] = []
    var index = 0
    while index < count {
      let kind = try whole(index, in: 0...9)
      let length = kind == 9 ? 21 : 2
      guard count - index >= length else { throw fault(.wrongCount) }
      let value = self[index + 1]
      switch kind {
      case 0: filters.append(.gaussianBlur(radius: value))
      case 1: filters.append(.brightness(value))
      case 2: filters.append(.contrast(value))
      case 3: filters.append(.saturate(value))
      case 4: filters.append(.grayscale(value))
      case 5: filters.append(.invert(value))
      case 6: filters.append(.sepia(value))
      case 7: filters.append(.hueRotate(degrees: value))
      case 8: filters.append(.opacity(value))
      default: filters.append(.colorMatrix(matrix(index + 1)))
      }
      index += length
    }
    return filters
  }

  private func matrix(_ first: Int) -> ColorMatrix {
    func column(_ index: Int) -> SIMD4<Float> {
      let start = first + index
      return SIMD4(float(start), float(start + 5), float(start + 10), float(start + 15))
    }
    return ColorMatrix(red: column(0), green: column(1), blue: column(2), alpha: column(3), constant: column(4))
  }
}
