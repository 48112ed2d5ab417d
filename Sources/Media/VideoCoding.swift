import CFFmpeg

/// How a video is coded, and in what file.
public enum VideoCoding: String, Sendable, Hashable, CaseIterable {
  /// H.264 in MP4; what everything plays.
  case h264
  /// VP9 in WebM; free, and smaller.
  case vp9
  /// FFV1 in Matroska: every pixel as it was.
  case ffv1
  /// Animated WebP: a picture that moves, for pages. It is written and not read.
  case webp

  /// By the end of a file's name; nil for what is none of a video.
  public init?(path: String) {
    let end = path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased()
    switch end {
    case "mp4", "m4v": self = .h264
    case "webm": self = .vp9
    case "mkv": self = .ffv1
    case "webp": self = .webp
    default: return nil
    }
  }

  /// FFmpeg's names.
  var encoder: String {
    switch self {
    case .h264: "libx264"
    case .vp9: "libvpx-vp9"
    case .ffv1: "ffv1"
    case .webp: "libwebp_anim"
    }
  }

  var container: String {
    switch self {
    case .h264: "mp4"
    case .vp9: "webm"
    case .ffv1: "matroska"
    case .webp: "webp"
    }
  }

  var pixelFormat: AVPixelFormat { self == .ffv1 ? ph_format_rgb() : AV_PIX_FMT_YUV420P }

  /// Colours at half the resolution need an even number of pixels.
  var needsEvenSides: Bool { self != .ffv1 }

  /// What FFmpeg's encoder is told. One thread decides the same as any number would; more make other bytes of the same
  /// frames.
  /// - Parameter quality: from 0 to 100.
  func options(quality: Int) -> [String: String] {
    switch self {
    case .h264: ["preset": "medium", "crf": "\(min(51, 52 - quality / 2))", "threads": "1"]
    case .vp9: ["crf": "\(min(63, 58 - quality / 2))", "b": "0", "deadline": "good", "cpu-used": "4", "threads": "1"]
    case .ffv1: ["level": "3", "slicecrc": "1", "threads": "1"]
    case .webp: ["quality": "\(quality)", "compression_level": "4"]
    }
  }
}
