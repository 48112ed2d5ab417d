import CRSVG

/// An SVG picture as a PNG file's bytes, drawn by librsvg on a cairo surface.
public enum PNGExport {
  /// Throws a sentence that says what librsvg or cairo refused.
  public static func png(_ document: SVGDocument) throws(BenchError) -> [UInt8] {
    let width = Int32(clamping: Int(max(1, min(8192, document.width))))
    let height = Int32(clamping: Int(max(1, min(8192, document.height))))
    let bytes = Array(document.text.utf8)
    guard let handle = rsvg_handle_new_from_data(bytes, bytes.count, nil) else {
      throw BenchError(.report, "librsvg cannot read the plot that was written; please report this.")
    }
    defer { g_object_unref(UnsafeMutableRawPointer(handle)) }
    guard let surface = cairo_image_surface_create(Int32(CAIRO_FORMAT_ARGB32), width, height) else {
      throw BenchError(.report, "cairo cannot make a surface of \(width) x \(height) pixels.")
    }
    defer { cairo_surface_destroy(surface) }
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    var viewport = RsvgRectangle(x: 0, y: 0, width: Double(width), height: Double(height))
    guard rsvg_handle_render_document(handle, context, &viewport, nil) != 0 else {
      throw BenchError(.report, "librsvg cannot draw the plot; are fonts installed (fonts-dejavu-core)?")
    }
    let sink = ByteSink()
    let status = withExtendedLifetime(sink) {
      cairo_surface_write_to_png_stream(
        surface,
        { closure, data, count in
          guard let closure, let data else { return Int32(CAIRO_STATUS_WRITE_ERROR) }
          let sink = Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
          sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
          return Int32(CAIRO_STATUS_SUCCESS)
        }, Unmanaged.passUnretained(sink).toOpaque())
    }
    guard status == Int32(CAIRO_STATUS_SUCCESS) else {
      throw BenchError(.report, "cairo cannot write the plot as PNG.")
    }
    return sink.bytes
  }
}

/// What cairo writes to, a piece at a time.
private final class ByteSink {
  var bytes: [UInt8] = []
}
