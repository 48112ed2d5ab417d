import Geometry

/// What a viewer's hand did.
public enum ViewInput: Sendable, Hashable {
  /// In the output's own units.
  case move(Point)
  /// - Parameter code: as Linux numbers buttons (`BTN_LEFT`, 0x110).
  case button(code: UInt32, isDown: Bool)
  /// As a wheel would scroll: down and to the right, ten of these a click.
  case scroll(Point)
  /// - Parameters:
  ///   - code: as Linux numbers keys (`KEY_A`, 30).
  ///   - text: what the viewer's own keyboard makes of it, where that is a character.
  case key(code: UInt32, isDown: Bool, text: String?)
  case text(String)
  case touch(finger: Int32, Touch)

  public enum Touch: Sendable, Hashable {
    case down(Point)
    case moved(Point)
    case up
  }
}

/// What a viewer may ask for.
public enum ViewQuestion: Sendable, Hashable {
  /// One of the operator's documents, by its name.
  case document(String)
  /// What lies at a point of the output that is watched.
  case hit(Point)
}

/// What viewers want of the server.
public enum ViewRequest: Sendable {
  case joined(viewer: UInt64)
  case left(viewer: UInt64)
  /// A viewer has begun to watch an output; it is done, as an input is.
  case watch(viewer: UInt64, output: UInt64)
  /// Nobody watches it any more.
  case unwatch(output: UInt64)
  /// The next picture of an output can be taken: one for each of these.
  case want(output: UInt64)
  case ask(viewer: UInt64, output: UInt64?, ViewQuestion)
  case input(viewer: UInt64, output: UInt64?, ViewInput)
}

/// An output's newest picture.
public struct ViewPicture: Sendable {
  public var output: UInt64
  public var size: PixelSize
  /// Premultiplied RGBA.
  public var pixels: [UInt8]
  /// Where it differs from the last one.
  public var damage: DirtyRegion
  /// What else is to be said of it, a JSON object.
  public var summary: String

  public init(output: UInt64, size: PixelSize, pixels: [UInt8], damage: DirtyRegion, summary: String) {
    (self.output, self.size, self.pixels) = (output, size, pixels)
    (self.damage, self.summary) = (damage, summary)
  }
}

/// What the server has for viewers.
public enum ViewNews: Sendable {
  case picture(ViewPicture)
  /// The output is not to be watched, or is gone.
  case gone(output: UInt64)
  /// To what was asked, a JSON object.
  case answer(viewer: UInt64, String)
  /// Of its own accord, a JSON object.
  case greeting(viewer: UInt64, String)
  /// To everybody, a JSON object.
  case notice(String)
  /// So many inputs, and changes of what is watched, have been done.
  case done(viewer: UInt64, inputs: Int)
}
