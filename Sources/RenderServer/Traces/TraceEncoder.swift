import Commit
import CommitCoding
import Geometry

/// Makes the bytes of a trace. They are taken as they come, and their storage is given up with them.
struct TraceEncoder {
  private(set) var bytes: [UInt8] = TraceFormat.magic
  /// Images that the trace has by now.
  private var images: Set<UInt64> = []
  private var records = PropertyRecords()

  mutating func takeBytes() -> [UInt8] {
    let taken = bytes
    bytes = []
    return taken
  }

  mutating func append(_ changes: [Change], nanoseconds: UInt64) {
    for case .set(_, .contents(let image?)) in changes where images.insert(image.identity).inserted { append(image) }
    let start = begin(.commit)
    append(nanoseconds)
    for change in changes { append(change) }
    end(start)
  }

  mutating func appendOutput(_ number: UInt64, _ output: TraceOutput) {
    let start = begin(.output)
    append(number)
    append(UInt64(clamping: output.size.width))
    append(UInt64(clamping: output.size.height))
    append(output.scale.bitPattern)
    append(output.period)
    append(output.root?.rawValue ?? 0)
    let color = output.background
    for part in [color.red, color.green, color.blue, color.alpha] { append(Double(part).bitPattern) }
    end(start)
  }

  mutating func appendEnd(ofOutput number: UInt64) {
    let start = begin(.outputEnd)
    append(number)
    end(start)
  }

  private mutating func append(_ image: Image) {
    if let revision = image.revision, let damage = revision.damage, image.foreign == nil, images.contains(revision.base)
    {
      return append(image, revision.base, damage)
    }
    let start = begin(.image)
    append(image.identity)
    append(UInt64(clamping: image.width))
    append(UInt64(clamping: image.height))
    append(UInt64(image.alpha.rawValue))
    // What only the GPU reads is recorded as nothing to be seen.
    bytes += image.foreign == nil ? image.pixels : [UInt8](repeating: 0, count: image.size.area * 4)
    end(start)
  }

  private mutating func append(_ image: Image, _ base: UInt64, _ damage: [PixelRect]) {
    let start = begin(.revision)
    append(image.identity)
    append(base)
    append(UInt64(damage.count))
    for rect in damage {
      for word in [rect.minX, rect.minY] { append(UInt64(clamping: word)) }
      for word in [rect.width, rect.height] { append(UInt64(clamping: word)) }
    }
    for rect in damage {
      for y in rect.minY..<rect.maxY {
        let first = (Int(y) * image.width + Int(rect.minX)) * 4
        bytes += image.pixels[first..<first + rect.width * 4]
      }
    }
    end(start)
  }

  private mutating func append(_ change: Change) {
    switch change {
    case .create(let layer, let kind): append(.create, UInt32(kind.rawValue), layer)
    case .release(let layer): append(.release, 0, layer)
    case .insert(let child, let parent, let index):
      append(.insert, 0, child)
      append(parent.rawValue)
      append(UInt64(clamping: index))
    case .removeFromParent(let layer): append(.removeFromParent, 0, layer)
    case .addAnimation(let layer, let key, let animation):
      let numbers = AnimationRecord.encodeWhole(animation)
      append(.addAnimation, UInt32(clamping: numbers.count), layer)
      append(animation.token)
      append(UInt64(key.utf8.count))
      append(key)
      for number in numbers { append(number.bitPattern) }
    case .removeAnimation(let layer, let key):
      append(.removeAnimation, key == nil ? 1 : 0, layer)
      append(UInt64(key?.utf8.count ?? 0))
      append(key ?? "")
    case .set(let layer, .contents(let image)):
      append(.contents, 0, layer)
      append(image?.identity ?? 0)
    case .set(let portal, .sourceLayer(let source)):
      append(.source, 0, portal)
      append(source?.rawValue ?? 0)
    case .set(let layer, .mask(let mask)):
      append(.mask, 0, layer)
      append(mask?.rawValue ?? 0)
    case .set(let layer, .name(let name)):
      append(.name, UInt32(clamping: (name ?? "").utf8.count), layer)
      append(name ?? "")
    case .set(let portal, .overrides(let overrides)):
      append(.overrides, UInt32(clamping: overrides.count), portal)
      for override in overrides {
        records.removeAll()
        // What can be overridden has a record.
        _ = try? records.append(override.property)
        let path = override.keyPath
        append(UInt64(path.utf8.count))
        append(UInt64(records.byteCount))
        append(path)
        records.withBytes { span in span.withUnsafeBytes { bytes += $0 } }
      }
    case .set(let layer, let property):
      records.removeAll()
      // What there is no record of can't have come over the wire.
      guard (try? records.append(property)) == true else { return }
      append(.set, UInt32(clamping: records.byteCount), layer)
      records.withBytes { span in span.withUnsafeBytes { bytes += $0 } }
    }
  }

  // MARK: Words

  private mutating func begin(_ kind: TraceFormat.Record) -> Int {
    append(kind.rawValue)
    append(0)
    return bytes.count
  }

  /// Fills in the count of bytes since the record began.
  private mutating func end(_ start: Int) {
    let count = UInt64(bytes.count - start).littleEndian
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: count, toByteOffset: start - 8, as: UInt64.self) }
    while bytes.count % 8 != 0 { bytes.append(0) }
  }

  private mutating func append(_ operation: TraceFormat.Operation, _ upper: UInt32, _ layer: LayerID) {
    append(UInt64(upper) << 32 | UInt64(operation.rawValue))
    append(layer.rawValue)
  }

  /// Filled up to whole words.
  private mutating func append(_ text: String) {
    bytes += text.utf8
    while bytes.count % 8 != 0 { bytes.append(0) }
  }

  private mutating func append(_ word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
  }
}

/// What a trace knows of an output.
struct TraceOutput: Sendable, Hashable {
  var size: PixelSize
  /// Pixels per point.
  var scale: Double
  /// Nanoseconds from frame to frame; 0 on demand.
  var period: UInt64
  var root: LayerID?
  var background: Color
}
