import CFFmpeg
import Commit
import Geometry
import ImageFiles

/// Writes pictures as a video file: H.264, VP9, or FFV1, which loses nothing.
///
/// The file is made in memory and appears whole, at the end, or not at all; the same frames give the same bytes. What is
/// see-through becomes black. It belongs to one thread.
public final class VideoWriter {
  public let path: String
  public let size: PixelSize
  public let coding: VideoCoding
  /// How many frames were written.
  public private(set) var frameCount = 0

  private let quality: Int
  private let conversion: PictureConversion
  private var format: UnsafeMutablePointer<AVFormatContext>?
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var packet = av_packet_alloc()
  private var frame = av_frame_alloc()
  private var stream: UnsafeMutablePointer<AVStream>?
  /// Of the coded frames; at most a column and a row more than `size`.
  private let codedSize: PixelSize
  private var isFinished = false

  /// - Parameters:
  ///   - path: where `finish` writes it.
  ///   - coding: nil for what the end of the name says: `.mp4`, `.webm` or `.mkv`.
  ///   - rate: frames a second, from 0.001 to 1000.
  ///   - quality: from 0 to 100; FFV1 loses nothing, whatever it is.
  /// - Throws: `unsupported` for another name, or where the encoder is not installed.
  public init(
    _ path: String, size: PixelSize, rate: Double, coding: VideoCoding? = nil, quality: Int = 68
  ) throws(MediaError) {
    guard let coding = coding ?? VideoCoding(path: path) else {
      throw MediaError(.unsupported, path, "a video's name ends in .mp4 (H.264), .webm (VP9), .mkv (FFV1) or .webp")
    }
    guard rate >= 0.001, rate <= 1000 else {
      throw MediaError(.unsupported, path, "a video has from 0.001 to 1000 frames a second, not \(rate)")
    }
    guard size.width > 0, size.height > 0, size.width <= 16384, size.height <= 16384 else {
      throw MediaError(
        .wrongSize, path, "a video has from 1 to 16384 pixels a side, not \(size.width) × \(size.height)")
    }
    self.path = path
    self.size = size
    self.coding = coding
    self.quality = min(100, max(0, quality))
    conversion = PictureConversion(path: path)
    codedSize =
      coding.needsEvenSides
      ? PixelSize(width: size.width + size.width % 2, height: size.height + size.height % 2) : size
    av_log_set_level(AV_LOG_QUIET)
    do throws(MediaError) { try open(rate: rate) } catch {
      free()
      throw error
    }
  }

  deinit { free() }

  private func free() {
    if let io = format?.pointee.pb {
      var bytes: UnsafeMutablePointer<UInt8>?
      avio_close_dyn_buf(io, &bytes)
      av_free(bytes)
      format?.pointee.pb = nil
    }
    avcodec_free_context(&codec)
    avformat_free_context(format)
    format = nil
    av_packet_free(&packet)
    av_frame_free(&frame)
  }

  private func open(rate: Double) throws(MediaError) {
    guard let encoder = avcodec_find_encoder_by_name(coding.encoder) else {
      throw MediaError(
        .unsupported, path, "FFmpeg's libraries here have no encoder \(coding.encoder); write .mkv, or install it")
    }
    avformat_alloc_output_context2(&format, nil, coding.container, nil)
    codec = avcodec_alloc_context3(encoder)
    guard let format, let codec, let frame, let stream = avformat_new_stream(format, nil) else {
      throw MediaError(.unwritable, path, "there is not enough memory")
    }
    self.stream = stream
    // 29.97 and its like are exact.
    let base = av_d2q(1 / rate, 1_000_000)
    codec.pointee.width = Int32(codedSize.width)
    codec.pointee.height = Int32(codedSize.height)
    codec.pointee.pix_fmt = coding.pixelFormat
    codec.pointee.time_base = base
    codec.pointee.framerate = AVRational(num: base.den, den: base.num)
    if coding == .h264 || coding == .vp9 {
      codec.pointee.colorspace = AVCOL_SPC_BT709
      codec.pointee.color_primaries = AVCOL_PRI_BT709
      codec.pointee.color_trc = AVCOL_TRC_BT709
      codec.pointee.color_range = AVCOL_RANGE_MPEG
    }
    // A damaged frame of FFV1 leaves the next ones alone.
    if coding == .ffv1 { codec.pointee.gop_size = 1 }
    codec.pointee.flags |= Int32(bitPattern: UInt32(AV_CODEC_FLAG_BITEXACT))
    if format.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 {
      codec.pointee.flags |= Int32(bitPattern: UInt32(AV_CODEC_FLAG_GLOBAL_HEADER))
    }
    format.pointee.flags |= AVFMT_FLAG_BITEXACT
    try check(coding.options(quality: quality)) { avcodec_open2(codec, encoder, &$0) }
    avcodec_parameters_from_context(stream.pointee.codecpar, codec)
    stream.pointee.time_base = base
    stream.pointee.avg_frame_rate = codec.pointee.framerate
    frame.pointee.format = coding.pixelFormat.rawValue
    frame.pointee.width = codec.pointee.width
    frame.pointee.height = codec.pointee.height
    frame.pointee.colorspace = codec.pointee.colorspace
    frame.pointee.color_range = codec.pointee.color_range
    try check(av_frame_get_buffer(frame, 0))
    try check(avio_open_dyn_buf(&format.pointee.pb))
    try check(coding == .webp ? ["loop": "0"] : [:]) { avformat_write_header(format, &$0) }
  }

  private func check(_ options: [String: String], _ body: (inout OpaquePointer?) -> Int32) throws(MediaError) {
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
    try check(body(&dictionary))
  }

  // MARK: Frames

  /// Adds the next frame.
  /// - Throws: `wrongSize`, and the video goes on with the next.
  public func add(_ image: Image) throws(MediaError) {
    guard let codec, let frame, !isFinished else {
      throw MediaError(.unwritable, path, "the video is finished; a further frame needs a new one")
    }
    guard image.size == size else {
      throw MediaError(
        .wrongSize, path,
        "a frame has \(image.width) × \(image.height) pixels in a video of \(size.width) × \(size.height)")
    }
    // The encoder may still look at the last one.
    try check(av_frame_make_writable(frame))
    let pixels = rows(of: image)
    try pixels.withUnsafeBufferPointer { (pixels) throws(MediaError) in try conversion.fill(frame, with: pixels) }
    frame.pointee.pts = Int64(frameCount)
    try check(avcodec_send_frame(codec, frame))
    frameCount += 1
    try drain()
  }

  /// Ends the video and writes the file: there is either the old file or the whole new one at any time.
  public func finish() throws(MediaError) {
    let bytes = try encoded()
    do { try FileBytes.write(bytes, to: path) } catch {
      throw MediaError(.unwritable, path, "can't write the video: \(error.reason)")
    }
  }

  /// Ends the video; the file's bytes.
  public func encoded() throws(MediaError) -> [UInt8] {
    guard let format, let codec, !isFinished else {
      throw MediaError(.unwritable, path, "the video is finished already")
    }
    guard frameCount > 0 else { throw MediaError(.unwritable, path, "a video has one frame at least") }
    isFinished = true
    try check(avcodec_send_frame(codec, nil))
    try drain()
    try check(av_write_trailer(format))
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = avio_close_dyn_buf(format.pointee.pb, &bytes)
    format.pointee.pb = nil
    defer { av_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(max(0, count))))
  }

  private func drain() throws(MediaError) {
    guard let codec, let packet, let stream, let format else { return }
    while true {
      let result = avcodec_receive_packet(codec, packet)
      if result == ph_error_again() || result == ph_error_end() { return }
      try check(result)
      // All frames of a WebP are one packet, which knows how long each stands.
      if coding != .webp { packet.pointee.duration = 1 }
      av_packet_rescale_ts(packet, codec.pointee.time_base, stream.pointee.time_base)
      packet.pointee.stream_index = stream.pointee.index
      // It takes the packet's buffer over.
      try check(av_interleaved_write_frame(format, packet))
    }
  }

  /// Opaque RGBA of the coded size: premultiplied over black, the last column and row twice where one is missing.
  private func rows(of image: Image) -> [UInt8] {
    let isStraight = image.alpha == .straight
    if !isStraight, codedSize == size { return image.pixels }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(codedSize.area * 4)
    for y in 0..<codedSize.height {
      let row = min(y, size.height - 1) * size.width * 4
      for x in 0..<codedSize.width {
        let at = row + min(x, size.width - 1) * 4
        let alpha = isStraight ? Int(image.pixels[at + 3]) : 255
        for part in 0..<3 { pixels.append(UInt8((Int(image.pixels[at + part]) * alpha + 127) / 255)) }
        pixels.append(255)
      }
    }
    return pixels
  }

  private func check(_ result: Int32) throws(MediaError) {
    guard result < 0 else { return }
    throw MediaError(.unwritable, path, "can't write the video: \(MediaError.words(result))")
  }
}
