import Commit
import CommitCoding
import Geometry

/// Reads a trace, record by record. It may hold anything; nothing outside of it is read.
struct TraceReader {
  enum Event {
    case commit(nanoseconds: UInt64, [Change])
    case output(UInt64, TraceOutput)
    case outputEnd(UInt64)
  }

  private let bytes: [UInt8]
  private var offset: Int
  /// Where the record in hand ends.
  private var end = 0
  private var images: [UInt64: Image] = [:]

  /// - Throws: for what is no trace.
  init(_ bytes: [UInt8]) throws(TraceError) {
    guard bytes.starts(with: TraceFormat.magic) else {
      throw TraceError("not a trace that porthole server record wrote: it does not begin with “porthole-trace/1”")
    }
    self.bytes = bytes
    offset = TraceFormat.magic.count
    end = bytes.count
  }

  /// The next event; nil at the end. A record that was cut off by the end of the recording is none.
  mutating func next() throws(TraceError) -> Event? {
    while true {
      end = bytes.count
      guard end - offset >= 16 else { return nil }
      let (kind, count) = (try word(), try word())
      guard let count = Int(exactly: count), count <= bytes.count - offset else { return nil }
      let start = offset
      end = start + count
      let event = try read(kind)
      // To the next whole word.
      offset = min(bytes.count, start + (count + 7) / 8 * 8)
      if let event { return event }
    }
  }

  private mutating func read(_ kind: UInt64) throws(TraceError) -> Event? {
    switch TraceFormat.Record(rawValue: kind) {
    case .commit: return .commit(nanoseconds: try word(), try changes())
    case .image: try readImage()
    case .revision: try readRevision()
    case .output: return try output()
    case .outputEnd: return .outputEnd(try word())
    case nil: break
    }
    return nil
  }

  private mutating func readImage() throws(TraceError) {
    let number = try word()
    let size = PixelSize(width: Int(clamping: try word()), height: Int(clamping: try word()))
    let alpha = AlphaState(rawValue: UInt8(clamping: try word()))
    guard let alpha, let image = Image(size: size, alpha: alpha, pixels: Array(bytes[offset..<end])) else {
      throw fault("a picture that is none")
    }
    images[number] = image
  }

  private mutating func readRevision() throws(TraceError) {
    let number = try word()
    guard let base = images[try word()] else { throw fault("a picture that the trace does not have") }
    let whole = PixelRect(size: base.size)
    var rects: [PixelRect] = []
    for _ in 0..<min(try word(), 1 << 16) {
      var words: [Int32] = []
      for _ in 0..<4 { words.append(Int32(clamping: try word())) }
      let (right, bottom) = (words[0].addingReportingOverflow(words[2]), words[1].addingReportingOverflow(words[3]))
      let rect = PixelRect(minX: words[0], minY: words[1], maxX: right.partialValue, maxY: bottom.partialValue)
      guard !right.overflow, !bottom.overflow, !rect.isEmpty, rect.intersection(whole) == rect else {
        throw fault("a part of a picture that lies outside of it")
      }
      rects.append(rect)
    }
    var pixels = base.pixels
    for rect in rects {
      let count = rect.width * 4
      for y in rect.minY..<rect.maxY {
        guard end - offset >= count else { throw fault("a picture that is cut off") }
        let first = (Int(y) * base.width + Int(rect.minX)) * 4
        pixels.replaceSubrange(first..<first + count, with: bytes[offset..<offset + count])
        offset += count
      }
    }
    images[number] = Image(size: base.size, alpha: base.alpha, pixels: pixels)
  }

  private mutating func output() throws(TraceError) -> Event {
    let number = try word()
    let size = PixelSize(width: Int(clamping: try word()), height: Int(clamping: try word()))
    let (scale, period, root) = (Double(bitPattern: try word()), try word(), try word())
    var parts: [Float] = []
    for _ in 0..<4 { parts.append(Float(Double(bitPattern: try word()))) }
    guard (1...16384).contains(size.width), (1...16384).contains(size.height), scale > 0, scale <= 64,
      parts.allSatisfy(\.isFinite)
    else { throw fault("an output that is none") }
    return .output(
      number,
      TraceOutput(
        size: size, scale: scale, period: period, root: layer(root),
        background: Color(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])))
  }

  private mutating func changes() throws(TraceError) -> [Change] {
    var changes: [Change] = []
    while offset < end { changes.append(try change()) }
    return changes
  }

  private mutating func change() throws(TraceError) -> Change {
    let first = try word()
    let upper = UInt32(truncatingIfNeeded: first >> 32)
    let id = LayerID(rawValue: try word())
    switch TraceFormat.Operation(rawValue: UInt32(truncatingIfNeeded: first)) {
    case .create:
      guard let kind = LayerKind(rawValue: UInt8(clamping: upper)) else { throw fault("a layer of an unknown kind") }
      return .create(id, kind)
    case .release: return .release(id)
    case .set: return .set(id, try property(byteCount: Int(upper)))
    case .contents:
      let number = try word()
      guard number == 0 || images[number] != nil else { throw fault("a picture that the trace does not have") }
      return .set(id, .contents(images[number]))
    case .source: return .set(id, .sourceLayer(layer(try word())))
    case .mask: return .set(id, .mask(layer(try word())))
    case .name:
      let name = try text(byteCount: UInt64(upper))
      return .set(id, .name(name.isEmpty ? nil : name))
    case .overrides:
      guard upper <= PortalOverride.countLimit else { throw fault("more overrides than a portal has") }
      var overrides: [PortalOverride] = []
      for _ in 0..<upper {
        let (path, count) = (try word(), try word())
        let steps = PortalOverride.steps(try text(byteCount: path))
        guard let steps else { throw fault("a path that is none") }
        overrides.append(PortalOverride(path: steps, try property(byteCount: Int(clamping: count))))
      }
      return .set(id, .overrides(overrides))
    case .insert: return .insert(id, into: LayerID(rawValue: try word()), at: Int(clamping: try word()))
    case .removeFromParent: return .removeFromParent(id)
    case .addAnimation:
      let token = try word()
      let key = try text(byteCount: try word())
      guard Int(upper) <= (end - offset) / 8 else { throw fault("an animation that is cut off") }
      var numbers: [Double] = []
      for _ in 0..<upper { numbers.append(Double(bitPattern: try word())) }
      do throws(AnimationRecordError) {
        var animation = try AnimationRecord.decode(numbers)
        animation.token = token
        return .addAnimation(id, key: key, animation)
      } catch {
        throw fault("an animation that is none: \(error)")
      }
    case .removeAnimation:
      let key = try text(byteCount: try word())
      return .removeAnimation(id, key: upper == 1 ? nil : key)
    case nil: throw fault("an unknown change")
    }
  }

  private mutating func property(byteCount: Int) throws(TraceError) -> PropertyChange {
    guard byteCount <= end - offset else { throw fault("a property that is cut off") }
    var found: PropertyChange?
    var error: PropertyRecordError?
    bytes.withUnsafeBytes { raw in
      do throws(PropertyRecordError) {
        try PropertyRecords.decode(UnsafeRawBufferPointer(rebasing: raw[offset..<(offset + byteCount)])) { found = $0 }
      } catch let fault {
        error = fault
      }
    }
    guard let found, error == nil else { throw fault(error?.description ?? "a property that is none") }
    offset += byteCount
    return found
  }

  private mutating func text(byteCount: UInt64) throws(TraceError) -> String {
    guard let count = Int(exactly: byteCount), count <= end - offset else { throw fault("a text that is cut off") }
    let text = String(decoding: bytes[offset..<(offset + count)], as: UTF8.self)
    offset = min(end, offset + (count + 7) / 8 * 8)
    return text
  }

  // MARK: Words

  private mutating func word() throws(TraceError) -> UInt64 {
    guard end - offset >= 8 else { throw fault("a record that is too short") }
    defer { offset += 8 }
    return bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
  }

  private func layer(_ number: UInt64) -> LayerID? { number == 0 ? nil : LayerID(rawValue: number) }

  private func fault(_ what: String) -> TraceError {
    TraceError("the trace can't be replayed: at byte \(offset) there is \(what)")
  }
}
