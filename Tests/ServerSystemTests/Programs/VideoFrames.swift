import Foundation
import Testing

/// All frames of a video that GStreamer makes, to be known again.
struct VideoFrames {
  private var numbers: [[UInt8]: [Int]] = [:]

  /// - Parameter words: a pipeline of BGRx, up to what shows it.
  init(_ words: [String], pixels count: Int) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).raw")
    defer { try? FileManager.default.removeItem(at: file) }
    let dumped = try runProgram("/usr/bin/gst-launch-1.0", words + ["!", "filesink", "location=\(file.path)"])
    try #require(dumped.status == 0, "\(dumped.text)")
    let all = [UInt8](try Data(contentsOf: file))
    let size = count * 4
    for number in 0..<all.count / size {
      var frame = Array(all[number * size..<(number + 1) * size])
      for index in stride(from: 0, to: size, by: 4) {
        frame.swapAt(index, index + 2)
        frame[index + 3] = 255
      }
      numbers[frame, default: []].append(number)
    }
  }

  /// Looks until so many other frames were seen: each is one of the video's, and they come in order.
  func follow(_ count: Int, patience: Double = 60, _ look: () throws -> [UInt8]) throws {
    let end = Date().addingTimeInterval(patience)
    var (last, seen) = (-1, 0)
    while seen < count {
      try #require(Date() < end, "\(seen) frames in \(patience) s")
      let known = try #require(numbers[try look()], "a picture that the video has not")
      // A ball that moves may come by the same place twice.
      let next = try #require(known.first { $0 >= last }, "frame \(known) after frame \(last)")
      if next > last { seen += 1 }
      last = next
    }
  }
}
