import Commit
import Foundation
import Geometry
import Media

/// A folder of its own for a test's files, gone with it.
final class MediaFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "porthole-media-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path(name)))) }

  func write(_ bytes: some Sequence<UInt8>, _ name: String) throws {
    try Data(bytes).write(to: URL(filePath: path(name)))
  }

  /// A video of a pattern's frames.
  func video(_ name: String, _ pattern: TestPattern, frames: Int) throws -> String {
    let writer = try VideoWriter(path(name), size: pattern.size, rate: pattern.rate)
    for number in 0..<frames {
      guard let image = pattern.image(number) else { continue }
      try writer.add(image)
    }
    try writer.finish()
    return path(name)
  }
}

extension VideoSource {
  /// Everything that comes, and the errors in between; an end that is an error counts as one.
  func everything(limit: Int = 1000) -> (frames: [VideoFrame], errors: [MediaError]) {
    var (frames, errors): ([VideoFrame], [MediaError]) = ([], [])
    while frames.count + errors.count < limit {
      do throws(MediaError) {
        guard let frame = try next() else { break }
        frames.append(frame)
      } catch {
        errors.append(error)
      }
    }
    return (frames, errors)
  }
}

extension Image {
  /// Of the pixels, for comparing: FNV-1a.
  var hash: UInt64 { pixels.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 } }

  subscript(x: Int, y: Int) -> [UInt8] { Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }
}
