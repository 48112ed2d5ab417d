import Commit
import ImageFiles

/// Writes a film's frames in the form that its name asks for: PNG files, one animated PNG, or a video.
public final class FilmWriter {
  public let form: FilmForm
  private let rate: Double
  private let quality: Int
  private var animated: AnimatedPNG
  private var video: VideoWriter?
  private var count = 0

  /// - Parameters:
  ///   - frameCount: how many frames will be added.
  ///   - rate: frames a second.
  ///   - quality: of a video, from 0 to 100.
  public init(_ form: FilmForm, frameCount: Int, rate: Double, quality: Int = 68) {
    self.form = form
    self.rate = rate
    self.quality = quality
    animated = AnimatedPNG(path: form.name, frameCount: frameCount, rate: rate)
  }

  /// Adds the next frame; all are of one size.
  /// - Throws: `MediaError` or `ImageFileError`.
  public func add(_ image: Image) throws {
    switch form.kind {
    case .numbered: try PNG.write(image, to: form.path(count))
    case .animated: try animated.add(image)
    case .video(let coding):
      let writer = try video ?? VideoWriter(form.name, size: image.size, rate: rate, coding: coding, quality: quality)
      video = writer
      try writer.add(image)
    }
    count += 1
  }

  /// Ends the film: one that is a single file appears now.
  /// - Throws: `MediaError` or `ImageFileError`.
  public func finish() throws {
    switch form.kind {
    case .numbered: break
    case .animated: try animated.write()
    case .video: try video?.finish()
    }
  }
}
