import CCairo
import Commit
import Geometry

/// A picture that cairo draws into, in points of some space, and its pixels.
final class Canvas {
  let cairo: OpaquePointer
  private let surface: OpaquePointer
  private let size: PixelSize
  /// Pixels of the surface that are one of the picture, side by side.
  private let columns: Int

  /// What of a space is drawn, with how many pixels to a point. Nil without memory.
  /// - Parameter columns: how many to draw for each pixel across, to be averaged.
  init?(_ frame: Rect, size: PixelSize, scale: Double, columns: Int = 1) {
    let (width, overflow) = size.width.multipliedReportingOverflow(by: columns)
    guard size.width > 0, size.height > 0, !overflow, max(width, size.height) <= Self.longestSide else { return nil }
    guard
      let surface = cairo_image_surface_create(Int32(PH_CAIRO_FORMAT_ARGB32), Int32(width), Int32(size.height))
    else { return nil }
    guard cairo_surface_status(surface) == 0, let cairo = cairo_create(surface) else {
      cairo_surface_destroy(surface)
      return nil
    }
    self.surface = surface
    self.cairo = cairo
    self.size = size
    self.columns = columns
    cairo_scale(cairo, scale * Double(columns), scale)
    cairo_translate(cairo, -frame.x, -frame.y)
    cairo_set_antialias(cairo, Int32(PH_CAIRO_ANTIALIAS_BEST))
  }

  deinit {
    cairo_destroy(cairo)
    cairo_surface_destroy(surface)
  }

  /// cairo's own limit.
  private static let longestSide = 32_767

  /// To the nearest of eight bits, as renderers round it; cairo would cut.
  func setColor(_ color: Color) {
    func rounded(_ value: Float) -> Double { Double((value * 255).rounded()) / 255 }
    cairo_set_source_rgba(
      cairo, rounded(color.red), rounded(color.green), rounded(color.blue), rounded(color.alpha))
  }

  /// What was drawn; nil where cairo failed on the way.
  func image() -> Image? {
    cairo_surface_flush(surface)
    guard cairo_status(cairo) == 0, let data = cairo_image_surface_get_data(surface) else { return nil }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let pixels = [UInt8](unsafeUninitializedCapacity: size.area * 4) { target, count in
      var place = 0
      for y in 0..<size.height {
        // Four bytes of one number, in the machine's order: alpha, red, green, blue from the highest.
        let row = UnsafeRawBufferPointer(start: data + y * stride, count: stride)
        for x in 0..<size.width {
          var (alpha, red, green, blue): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
          for column in 0..<columns {
            let word = row.load(fromByteOffset: (x * columns + column) * 4, as: UInt32.self)
            alpha += word >> 24
            red += word >> 16 & 255
            green += word >> 8 & 255
            blue += word & 255
          }
          let (count, half) = (UInt32(columns), UInt32(columns) / 2)
          target[place] = UInt8(truncatingIfNeeded: (red + half) / count)
          target[place + 1] = UInt8(truncatingIfNeeded: (green + half) / count)
          target[place + 2] = UInt8(truncatingIfNeeded: (blue + half) / count)
          target[place + 3] = UInt8(truncatingIfNeeded: (alpha + half) / count)
          place += 4
        }
      }
      count = size.area * 4
    }
    return Image(size: size, alpha: .premultiplied, pixels: pixels)
  }
}
