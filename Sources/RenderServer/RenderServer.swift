import FramePlan
import GLES
import LinuxIO

/// A render server: keeps the layers of many clients and draws them. What comes from a client is refused or ends that
/// client, and never traps.
///
/// It belongs to the thread that runs it.
public final class RenderServer {
  let core: ServerCore

  /// Opens the display and starts the threads; nobody can connect yet.
  /// - Parameter signals: those that `whenSignalled` is called for, instead of what they would do.
  public init(_ options: ServerOptions = ServerOptions(), signals: [Int32] = []) throws(ServerError) {
    core = try ServerCore(options, signals: signals)
  }

  // The core is whole while its connections end, whoever let go of the server and when.
  deinit { core.close() }

  public var options: ServerOptions { core.options }
  public var tree: ClientTree { core.tree }

  /// Where outputs can be looked at in a browser; nil where `ServerOptions.view` is.
  public var viewAddress: String? { core.view?.address }

  /// The device that draws.
  public var device: DeviceReport { core.device }

  /// Called on the loop for each of the signals that the server was made with.
  public var whenSignalled: ((Int32) -> Void)? {
    get { core.whenSignalled }
    set { core.whenSignalled = newValue }
  }

  /// Lets clients connect to a socket of the server's own.
  /// - Returns: its path.
  @discardableResult
  public func listen(runtimeFolder: String?) throws(ServerError) -> String {
    try core.listen(runtimeFolder: runtimeFolder)
  }

  /// Lets clients connect to a socket that somebody else has bound and listens on, and that stays open.
  public func listen(onActivated descriptor: Int32) throws(ServerError) { try core.listen(onActivated: descriptor) }

  /// Serves a connected socket, unless its user may not connect or there are too many connections.
  public func serve(_ socket: consuming FileDescriptor) throws(ServerError) { _ = try core.serve(socket) }

  /// Serves until `stop`.
  public func run() throws(ServerError) { try core.run() }

  /// Waits for something to happen once, no longer than the milliseconds given, and does what is to be done.
  public func runOnce(timeoutMilliseconds: Int32) throws(ServerError) {
    try core.runOnce(timeoutMilliseconds: timeoutMilliseconds)
  }

  public func stop() { core.stop() }

  /// Takes no more connections, and does what is in hand: frames that are being drawn and pictures that are being written,
  /// for as long as it is given.
  public func drain(milliseconds: Int) throws(ServerError) { try core.drain(milliseconds: milliseconds) }

  /// Ends every connection and the threads, after the frames in hand. A second call does nothing.
  public func close() { core.close() }

  /// For tests: how many frames were drawn, and how many were begun at all.
  package var framesDrawn: UInt64 { core.counters.framesDrawn }
  package var framesBegun: UInt64 {
    core.counters.framesDrawn + core.counters.framesUnchanged + core.counters.framesFailed
  }

  /// For tests: what the last frame that was drawn took.
  package var lastFrame: FrameCounters { core.counters.lastFrame }

  /// A test's way to lose the device.
  package func loseDevice() { core.loseDevice() }
}
