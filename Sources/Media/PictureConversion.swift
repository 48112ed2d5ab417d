import CFFmpeg
import Commit
import Geometry

/// Between frames of FFmpeg's many forms and pictures of RGBA: one form and size at a time, prepared once.
final class PictureConversion {
  private struct Form: Equatable {
    var (width, height, format): (Int32, Int32, Int32)
    var (space, range): (UInt32, UInt32)
  }

  private let path: String
  private var context: OpaquePointer?
  private var form: Form?

  init(path: String) { self.path = path }

  deinit { sws_freeContext(context) }

  /// The frame as a picture, opaque, in its own size.
  func image(of frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Image {
    let form = Self.form(of: frame)
    let size = PixelSize(width: Int(form.width), height: Int(form.height))
    guard size.width > 0, size.height > 0, size.width <= 1 << 15, size.height <= 1 << 15 else {
      throw MediaError(.damaged, path, "a frame has \(size.width) × \(size.height) pixels")
    }
    if context == nil || self.form != form {
      try prepare(form, from: AVPixelFormat(form.format), to: AV_PIX_FMT_RGBA, isReading: true)
    }
    let stride = size.width * 4
    let pixels = [UInt8](unsafeUninitializedCapacity: stride * size.height) { target, count in
      count = target.count
      Self.convert(context, frame, into: target.baseAddress, stride: Int32(stride), height: form.height)
    }
    guard let image = Image(size: size, alpha: .opaque, pixels: Self.opaque(pixels, frame)) else {
      throw MediaError(.damaged, path, "a frame has no pixels")
    }
    return image
  }

  /// Draws RGBA rows of the frame's size into it.
  func fill(
    _ frame: UnsafeMutablePointer<AVFrame>, with pixels: UnsafeBufferPointer<UInt8>
  ) throws(MediaError) {
    let form = Self.form(of: frame)
    if context == nil || self.form != form {
      try prepare(form, from: AV_PIX_FMT_RGBA, to: AVPixelFormat(form.format), isReading: false)
    }
    let source: [UnsafePointer<UInt8>?] = [pixels.baseAddress, nil, nil, nil]
    let strides: [Int32] = [form.width * 4, 0, 0, 0]
    let target = [
      frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2, frame.pointee.data.3,
    ]
    let targetStrides = [
      frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2, frame.pointee.linesize.3,
    ]
    sws_scale(context, source, strides, 0, form.height, target, targetStrides)
  }

  private static func form(of frame: UnsafeMutablePointer<AVFrame>) -> Form {
    let f = frame.pointee
    return Form(
      width: f.width, height: f.height, format: f.format, space: f.colorspace.rawValue, range: f.color_range.rawValue)
  }

  private func prepare(
    _ form: Form, from: AVPixelFormat, to: AVPixelFormat, isReading: Bool
  ) throws(MediaError) {
    sws_freeContext(context)
    let flags = SWS_BICUBIC | Int32(SWS_ACCURATE_RND) | Int32(SWS_FULL_CHR_H_INT) | Int32(SWS_BITEXACT)
    context = sws_getContext(form.width, form.height, from, form.width, form.height, to, flags, nil, nil, nil)
    guard let context else {
      self.form = nil
      let name = av_get_pix_fmt_name(isReading ? from : to).map { String(cString: $0) } ?? "unknown"
      throw MediaError(.unsupported, path, "pixels of the form “\(name)” can't be converted")
    }
    // Without a word about it, small videos are in the matrix of television of old, large ones in that of today.
    var space = Int32(bitPattern: form.space)
    if space == Int32(AVCOL_SPC_UNSPECIFIED.rawValue) {
      space = form.height > 576 ? SWS_CS_ITU709 : SWS_CS_ITU601
    }
    let isFull: Int32 = form.range == AVCOL_RANGE_JPEG.rawValue ? 1 : 0
    let coefficients = sws_getCoefficients(space)
    let plain = sws_getCoefficients(SWS_CS_DEFAULT)
    sws_setColorspaceDetails(
      context, isReading ? coefficients : plain, isReading ? isFull : 1, isReading ? plain : coefficients,
      isReading ? 1 : isFull, 0, 1 << 16, 1 << 16)
    self.form = form
  }

  private static func convert(
    _ context: OpaquePointer?, _ frame: UnsafeMutablePointer<AVFrame>, into target: UnsafeMutablePointer<UInt8>?,
    stride: Int32, height: Int32
  ) {
    let source: [UnsafePointer<UInt8>?] = [
      UnsafePointer(frame.pointee.data.0), UnsafePointer(frame.pointee.data.1), UnsafePointer(frame.pointee.data.2),
      UnsafePointer(frame.pointee.data.3),
    ]
    let strides = [
      frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2, frame.pointee.linesize.3,
    ]
    sws_scale(context, source, strides, 0, height, [target, nil, nil, nil], [stride, 0, 0, 0])
  }

  /// A form with alpha gives its own; there is nothing behind a video.
  private static func opaque(_ pixels: [UInt8], _ frame: UnsafeMutablePointer<AVFrame>) -> [UInt8] {
    guard let description = av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format)),
      description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    else { return pixels }
    var pixels = pixels
    for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
    return pixels
  }
}
