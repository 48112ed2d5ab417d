import GLES
import Geometry

/// A small target whose pixels a test reads.
final class Canvas {
  let device: Device
  private(set) var framebuffer: Framebuffer

  init(_ device: Device, width: Int, height: Int) throws {
    self.device = device
    let texture = try device.makeTexture(size: PixelSize(width: width, height: height), label: "canvas")
    framebuffer = try device.makeFramebuffer(texture)
  }

  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    let pixels = device.readPixels(framebuffer)
    let first = (y * framebuffer.size.width + x) * 4
    return Array(pixels[first..<(first + 4)])
  }

}
