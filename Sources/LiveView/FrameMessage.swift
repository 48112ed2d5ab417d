import Geometry
import ImageFiles
import JSON

/// A picture on its way to a page: the length of a header in four bytes, little end first; the header, a JSON object; then the
/// parts that are new, each a PNG.
enum FrameMessage {
  /// Nil where a part can't be encoded.
  /// - Parameter room: bytes that are left free before the message.
  static func encode(_ picture: ViewPicture, _ dirty: DirtyRegion, room: Int) -> [UInt8]? {
    var parts: [JSONValue] = []
    var files: [[UInt8]] = []
    for rect in dirty.rects {
      guard let file = try? PNG.encodeQuickly(rect, of: picture.pixels, size: picture.size) else { return nil }
      parts.append(
        .array([
          .integer(Int(rect.minX)), .integer(Int(rect.minY)), .integer(rect.width), .integer(rect.height),
          .integer(file.count),
        ]))
      files.append(file)
    }
    let head = JSONValue.object([
      ("output", .unsigned(picture.output)), ("width", .integer(picture.size.width)),
      ("height", .integer(picture.size.height)), ("parts", .array(parts)),
    ]).line
    // The summary is an object already.
    let header = Array((head.dropLast(2) + ",\"frame\":" + picture.summary + "}").utf8)
    var message = [UInt8](repeating: 0, count: room)
    message.reserveCapacity(room + 4 + header.count + files.reduce(0) { $0 + $1.count })
    for shift in stride(from: 0, to: 32, by: 8) { message.append(UInt8(truncatingIfNeeded: header.count >> shift)) }
    message += header
    for file in files { message += file }
    return message
  }
}
