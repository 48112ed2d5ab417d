import CFFmpeg
import Commit
import Geometry

/// Reads the pictures of a video, from a file or a camera, by FFmpeg's libraries.
///
/// Frames come in the order of their times, in RGBA. What a decoder notices is an error; some put the frame before in the
/// place of damaged parts and say nothing. It belongs to one thread.
public final class VideoReader: VideoSource {
  public let path: String
  public let size: PixelSize
  /// Of the whole video, in seconds; nil where nobody knows.
  public let duration: Double?
  /// Frames a second, on average; nil where the file does not say.
  public let rate: Double?
  /// As FFmpeg calls it: `h264`, `vp9`, `ffv1`.
  public let codecName: String

  public let isLive: Bool
  private let streamIndex: Int32
  private let timeBase: Double
  /// In the stream's own time; of a device, that of its first frame.
  private var start: Int64?
  private let conversion: PictureConversion
  private var format: UnsafeMutablePointer<AVFormatContext>?
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var packet = av_packet_alloc()
  private var frame = av_frame_alloc()
  private var isDraining = false
  private var isOver = false
  /// The end of the last frame that came, in seconds.
  private var reached = 0.0
  private var count = 0

  /// Opens a video file.
  /// - Throws: `unreadable`; `unsupported` for what is no video; `truncated` for one that ends before its first frame.
  public convenience init(file path: String) throws(MediaError) {
    // No address, whatever it looks like, and nothing that a playlist names but files.
    try self.init("file:" + path, path: path, input: nil, options: ["protocol_whitelist": "file"])
  }

  /// Opens a camera, such as `/dev/video0`.
  /// - Parameters:
  ///   - size: what is asked for; nil takes what the camera gives.
  ///   - rate: frames a second, likewise.
  /// - Throws: `unreadable` for what is not there or no camera.
  public convenience init(camera path: String, size: PixelSize? = nil, rate: Double? = nil) throws(MediaError) {
    var options: [String: String] = [:]
    if let size { options["video_size"] = "\(size.width)x\(size.height)" }
    if let rate { options["framerate"] = "\(rate)" }
    try self.init(device: path, driver: "video4linux2", options: options)
  }

  /// Opens any device that FFmpeg's libavdevice reads.
  /// - Parameters:
  ///   - driver: as FFmpeg calls it: `video4linux2`, `x11grab`, or `lavfi`, whose devices are descriptions of filters.
  ///   - options: the driver's own.
  /// - Throws: `unsupported` where there is no such driver; `unreadable` for what it does not open.
  public convenience init(
    device path: String, driver: String, options: [String: String] = [:]
  ) throws(MediaError) {
    guard ph_register_devices() != 0 else {
      throw MediaError(
        .unsupported, path, "devices are read by FFmpeg's libavdevice, which is not here: install libavdevice")
    }
    guard let input = ph_find_device(driver) else {
      throw MediaError(.unsupported, path, "FFmpeg's libavdevice here has no driver “\(driver)”")
    }
    try self.init(path, path: path, input: input, options: options)
  }

  private init(
    _ url: String, path: String, input: UnsafePointer<AVInputFormat>?, options: [String: String]
  ) throws(MediaError) {
    self.path = path
    isLive = input != nil
    conversion = PictureConversion(path: path)
    av_log_set_level(AV_LOG_QUIET)
    var dictionary: OpaquePointer?
    for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
    defer { av_dict_free(&dictionary) }
    var format = avformat_alloc_context()
    // Whoever draws waits for no camera.
    if input != nil { format?.pointee.flags |= AVFMT_FLAG_NONBLOCK }
    // On failure the context is freed and nil.
    try Self.check(avformat_open_input(&format, url, input, &dictionary), path, opening: input == nil)
    let opened: Opened
    do throws(MediaError) { opened = try Opened(format, path, isDevice: input != nil) } catch {
      avformat_close_input(&format)
      throw error
    }
    self.format = format
    codec = opened.codec
    streamIndex = opened.index
    size = opened.size
    codecName = opened.name
    timeBase = opened.timeBase
    rate = opened.rate
    start = isLive ? nil : opened.start
    duration = isLive ? nil : opened.duration
  }

  deinit {
    avcodec_free_context(&codec)
    avformat_close_input(&format)
    av_packet_free(&packet)
    av_frame_free(&frame)
  }

  /// What a file says of itself.
  private struct Opened {
    let index: Int32
    let codec: UnsafeMutablePointer<AVCodecContext>?
    let name: String
    let size: PixelSize
    let timeBase: Double
    let rate: Double?
    let start: Int64
    let duration: Double?

    init(
      _ format: UnsafeMutablePointer<AVFormatContext>?, _ path: String, isDevice: Bool
    ) throws(MediaError) {
      // A device says what it gives when it is opened; to look at its first frames would be to wait for them.
      if !isDevice { try VideoReader.check(avformat_find_stream_info(format, nil), path, opening: true) }
      var decoder: UnsafePointer<AVCodec>?
      index = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, &decoder, 0)
      guard index >= 0, let decoder, let format, let stream = format.pointee.streams[Int(index)] else {
        throw MediaError(.unsupported, path, "it has no video that FFmpeg's libraries here can decode")
      }
      let parameters = stream.pointee.codecpar
      guard let parameters, parameters.pointee.width > 0, parameters.pointee.height > 0 else {
        throw MediaError(.truncated, path, "it ends before its first frame; is it still being written?")
      }
      size = PixelSize(width: Int(parameters.pointee.width), height: Int(parameters.pointee.height))
      name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
      timeBase = av_q2d(stream.pointee.time_base)
      let average = av_q2d(stream.pointee.avg_frame_rate)
      rate = average.isFinite && average > 0 ? average : nil
      let first = stream.pointee.start_time
      start = first == ph_no_time() ? 0 : first
      let length = stream.pointee.duration
      if length != ph_no_time(), length > 0 {
        duration = Double(length) * timeBase
      } else if format.pointee.duration > 0 {
        duration = Double(format.pointee.duration) / Double(AV_TIME_BASE)
      } else {
        duration = nil
      }
      var context = avcodec_alloc_context3(decoder)
      avcodec_parameters_to_context(context, parameters)
      // A damaged frame is an error, and no grey picture.
      context?.pointee.err_recognition = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_EXPLODE
      context?.pointee.thread_count = 0
      do throws(MediaError) { try VideoReader.check(avcodec_open2(context, decoder, nil), path, opening: true) } catch {
        avcodec_free_context(&context)
        throw error
      }
      codec = context
    }
  }

  // MARK: Frames

  public func next() throws(MediaError) -> VideoFrame? {
    guard let format, let codec, let packet, let frame, !isOver else { return nil }
    while true {
      let received = avcodec_receive_frame(codec, frame)
      if received == 0 {
        defer { av_frame_unref(frame) }
        return try take(frame)
      }
      if received == ph_error_end() { return try end() }
      if received != ph_error_again() { throw damaged(received) }
      guard !isDraining else { return try end() }
      let read = av_read_frame(format, packet)
      if read == ph_error_end() {
        isDraining = true
        avcodec_send_packet(codec, nil)
        continue
      }
      if read == ph_error_again() {
        if isLive { return nil }
        continue
      }
      guard read >= 0 else {
        isOver = true
        throw MediaError(
          isLive ? .unreadable : .truncated, path,
          "reading ends after \(count) frames: \(MediaError.words(read)); what came before is whole")
      }
      defer { av_packet_unref(packet) }
      guard packet.pointee.stream_index == streamIndex else { continue }
      let sent = avcodec_send_packet(codec, packet)
      if sent < 0, sent != ph_error_again() { throw damaged(sent) }
    }
  }

  public func rewind() throws(MediaError) -> Bool {
    guard !isLive, let format, let codec else { return false }
    try Self.check(av_seek_frame(format, streamIndex, start ?? 0, AVSEEK_FLAG_BACKWARD), path, opening: false)
    avcodec_flush_buffers(codec)
    (isDraining, isOver, reached, count) = (false, false, 0, 0)
    return true
  }

  private func take(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) -> VideoFrame {
    let stamp = frame.pointee.best_effort_timestamp
    let usual = rate.map { 1 / $0 } ?? 1.0 / 30
    if start == nil, stamp != ph_no_time() { start = stamp }
    let (since, overflow) = stamp.subtractingReportingOverflow(start ?? 0)
    let time = stamp == ph_no_time() || overflow ? reached : max(0, Double(since) * timeBase)
    let length = frame.pointee.pkt_duration > 0 ? Double(frame.pointee.pkt_duration) * timeBase : usual
    reached = time + length
    count += 1
    let got = PixelSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    guard got == size else {
      throw MediaError(
        .wrongSize, path,
        "frame \(count) has \(got.width) × \(got.height) pixels in a video of \(size.width) × \(size.height)")
    }
    guard frame.pointee.decode_error_flags == 0, frame.pointee.flags & AV_FRAME_FLAG_CORRUPT == 0 else {
      throw MediaError(.damaged, path, "frame \(count) is damaged")
    }
    return VideoFrame(image: try conversion.image(of: frame), time: time, duration: length)
  }

  /// At the end of the file: is it the end of the video, too?
  private func end() throws(MediaError) -> VideoFrame? {
    isOver = true
    guard let duration, let rate else { return nil }
    // Files are not exact about their length; half a second, or a tenth, are missing where something was cut off.
    let least = duration - max(1.5 / rate, min(0.5, duration * 0.1))
    guard reached < least else { return nil }
    throw MediaError(
      .truncated, path,
      "it is cut off: \(Self.seconds(reached)) of \(Self.seconds(duration)) are there; what came before is whole")
  }

  private func damaged(_ error: Int32) -> MediaError {
    MediaError(.damaged, path, "what follows frame \(count) can't be decoded: \(MediaError.words(error))")
  }

  private static func seconds(_ value: Double) -> String { "\((value * 100).rounded() / 100) s" }

  fileprivate static func check(_ result: Int32, _ path: String, opening: Bool) throws(MediaError) {
    guard result < 0 else { return }
    let isInvalid = result == ph_error_invalid() || result == ph_error_end()
    throw MediaError(
      isInvalid ? (opening ? .unsupported : .damaged) : .unreadable, path,
      isInvalid && opening
        ? "it is no video that FFmpeg's libraries here know, or its end is missing, where some say what is in them"
        : "it can't be read: \(MediaError.words(result))")
  }
}
