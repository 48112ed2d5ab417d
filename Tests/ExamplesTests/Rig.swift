import Examples
import Foundation
import Media
import Porthole

/// Where the examples are, and what a test asks of their frames.
enum Rig {
  static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let scenes = repository.appending(path: "examples").path

  static func scene(_ name: String) throws -> Scene { try SceneFile.read("\(scenes)/\(name).json") }

  /// A colour that no example has, with a number in it.
  static func marker(_ number: Int) -> Color {
    Color(red: 1, green: 0, blue: Float(number % 200) / 255)
  }
}

/// Frames of that colour, by their numbers.
final class MarkerVideo: VideoSource {
  let size = PixelSize(width: 8, height: 8)
  private let rate: Double
  private var position = 0

  init(rate: Double) { self.rate = rate }

  func next() throws(MediaError) -> VideoFrame? {
    let pixels: [UInt8] = (0..<size.area).flatMap { _ in [255, 0, UInt8(position % 200), 255] }
    guard let image = Image(size: size, alpha: .opaque, pixels: pixels) else { return nil }
    defer { position += 1 }
    // A little early, so that a frame at its very time shows it.
    return VideoFrame(image: image, time: Double(position) / rate - 1e-6, duration: 1 / rate)
  }

  func rewind() throws(MediaError) -> Bool { false }
}

/// What of a picture has the marker's colour.
struct Sighting {
  /// Around all of it, in pixels; its last column and row are part of it.
  var (left, top, right, bottom) = (Int.max, Int.max, Int.min, Int.min)
  var count = 0
  /// How many pixels have which number.
  var numbers: [UInt8: Int] = [:]

  init(_ image: Image) {
    image.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<image.height {
        for x in 0..<image.width {
          let at = (y * image.width + x) * 4
          guard pixels[at] == 255, pixels[at + 1] == 0, pixels[at + 3] == 255 else { continue }
          (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
          count += 1
          numbers[pixels[at + 2], default: 0] += 1
        }
      }
    }
  }

  /// The number of nearly all pixels; at edges one is blended with what lies behind. Nil for none.
  var number: UInt8? { numbers.first { $0.value * 50 > count * 49 }?.key }
  var width: Int { right - left + 1 }
  var height: Int { bottom - top + 1 }
  /// How much of the box around it is it: 1 for one rectangle, and much less for two.
  var share: Double { count == 0 ? 0 : Double(count) / Double(width * height) }
  var center: Point { Point(Double(left + right) / 2, Double(top + bottom) / 2) }

  func distance(to other: Sighting) -> Double {
    max(abs(center.x - other.center.x), abs(center.y - other.center.y))
  }
}

extension Image {
  subscript(x: Int, y: Int) -> [UInt8] { Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }

  /// The greatest difference of a component.
  static func difference(_ a: [UInt8], _ b: [UInt8]) -> Int {
    zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}
