import FramePlan
import GLES
import GLRenderer
import Geometry
import Testing

/// A renderer on a device of its own, ended with the test; what is left alive then fails it.
struct RendererFixture {
  let device: Device
  let renderer: Renderer

  static func run(_ body: (RendererFixture) throws -> Void) throws {
    let device = try Device()
    do {
      let renderer = try Renderer(device: device)
      defer { renderer.shutdown() }
      try body(RendererFixture(device: device, renderer: renderer))
    }
    #expect(device.liveNames == LiveNames())
    device.shutdown()
  }

  /// Draws the plan and gives the output.
  func draw(_ builder: PlanBuilder) throws -> Pixels {
    #expect(try renderer.draw(builder.plan) == .drawn)
    return Pixels(size: builder.plan.outputSize, bytes: try renderer.readOutput())
  }

  /// Draws the plan and gives the output's first pixel.
  func pixel(_ builder: PlanBuilder) throws -> [UInt8] { try draw(builder)[0, 0] }
}

/// A picture read back.
struct Pixels: Equatable {
  var size: PixelSize
  var bytes: [UInt8]

  subscript(x: Int, y: Int) -> [UInt8] {
    let first = (y * size.width + x) * 4
    return Array(bytes[first..<(first + 4)])
  }
}
