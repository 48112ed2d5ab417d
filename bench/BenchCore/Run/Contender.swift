import Commit

/// One strategy at one N, with its layers and textures made, ready to draw any frame of the orbit.
public protocol Contender: AnyObject {
  /// Moves what moves, draws frame `frame` and returns when its last pixel is there.
  func draw(frame: Int) throws(BenchError) -> DrawnFrame
  /// GPU time of the same frame, by a timer that was proven. Nil where there is none. Not part of what is timed otherwise.
  func gpuNanoseconds(frame: Int) throws(BenchError) -> UInt64?
  /// What the parts of a frame take, in milliseconds, by instruments that the times above are taken without. Nil where there
  /// are none.
  func parts(frame: Int) throws(BenchError) -> [FramePart]?
  /// The same frame as a picture in memory. Not timed.
  func picture(frame: Int) throws(BenchError) -> Image
}

extension Contender {
  public func gpuNanoseconds(frame: Int) throws(BenchError) -> UInt64? { nil }
  public func parts(frame: Int) throws(BenchError) -> [FramePart]? { nil }
}

/// A stage of a frame, or a kind of its passes.
public struct FramePart: Sendable, Hashable {
  public var name: String
  public var milliseconds: Double

  public init(name: String, milliseconds: Double) {
    self.name = name
    self.milliseconds = milliseconds
  }
}

/// What a contender says of a frame that it drew; the times it took are taken from outside.
public struct DrawnFrame: Sendable, Hashable {
  public var count: FrameCount

  public init(count: FrameCount) { self.count = count }
}

/// Where contenders come from: the renderers and scenes of this machine, or a test's fakes.
public protocol Stage: AnyObject {
  var environment: RunEnvironment { get }
  /// Builds everything that is not part of a frame.
  func contender(_ key: CellKey) throws(BenchError) -> any Contender
  /// Whether `picture` shows what `reference` shows.
  func compare(_ picture: Image, with reference: Image, of key: CellKey) -> PictureVerdict
}

public struct PictureVerdict: Sendable, Hashable {
  public var agrees: Bool
  /// How far they are apart, for a person.
  public var note: String

  public init(agrees: Bool, note: String) {
    self.agrees = agrees
    self.note = note
  }
}

/// The clocks of a run, in nanoseconds since some beginning.
public protocol BenchClock: AnyObject {
  var monotonicNanoseconds: UInt64 { get }
  /// User and system time of all threads of the process.
  var cpuNanoseconds: UInt64 { get }
}

/// The orbit that every scene's moving layer runs: after so many frames it is where it was.
public enum Orbit {
  public static let frameCount = 60
}
