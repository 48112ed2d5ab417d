import GLES
import Geometry

/// A texture that can be drawn into.
final class RenderTarget {
  let texture: Texture
  let framebuffer: Framebuffer
  /// The frame that used it last.
  var lastFrame = 0

  init(
    size: PixelSize, format: PixelFormat, levels: Int, label: String, device: Device
  ) throws(RendererError) {
    do throws(DeviceError) {
      texture = try device.makeTexture(size: size, format: format, levels: levels, label: label)
      framebuffer = try device.makeFramebuffer(texture)
    } catch {
      throw RendererError(error)
    }
  }
}
