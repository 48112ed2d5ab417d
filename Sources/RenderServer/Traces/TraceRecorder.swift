import Commit
import Diagnostics
import Geometry
import LinuxIO
import RenderTree

/// Writes every commit to a descriptor, for as long as its reader keeps up. Nobody waits for it.
final class TraceRecorder {
  /// Whose trace it is; its end ends it.
  private(set) weak var session: ClientSession?
  private let sink: ByteSink
  private let writer: PictureWriter
  private let started = ProcessClock.monotonicNanoseconds
  private var encoder = TraceEncoder()
  private var isWriting = false
  var whenOver: (() -> Void)?
  private(set) var isOver = false
  /// What may wait for a reader, in bytes; past it the trace ends.
  private static let longestBacklog = 256 << 20

  init(_ session: ClientSession, _ sink: ByteSink, _ writer: PictureWriter) {
    self.session = session
    self.sink = sink
    self.writer = writer
  }

  func append(_ changes: [Change]) {
    guard !isOver else { return }
    // A trace's time begins with it, and so does that of the animations in it.
    let origin = Double(started) / 1e9
    let shifted = changes.map { change -> Change in
      guard case .addAnimation(let layer, let key, var animation) = change, animation.timing.beginTime != 0 else {
        return change
      }
      animation.timing.beginTime -= origin
      return .addAnimation(layer, key: key, animation)
    }
    encoder.append(shifted, nanoseconds: ProcessClock.monotonicNanoseconds &- started)
    advance()
  }

  func append(_ output: OutputObject) {
    // What a secure output shows is nobody else's.
    guard !isOver, !output.isSecure else { return }
    let (mode, root) = (output.mode, output.root)
    encoder.appendOutput(
      output.number.rawValue,
      TraceOutput(
        size: mode.size, scale: mode.scale, period: mode.period, root: root, background: output.background))
    advance()
  }

  func appendEnd(of output: OutputObject) {
    guard !isOver, !output.isSecure else { return }
    encoder.appendEnd(ofOutput: output.number.rawValue)
    advance()
  }

  /// Takes nothing more. The descriptor closes when what it has is written.
  func stop() {
    guard !isOver else { return }
    isOver = true
    session?.member.account.remove(.descriptors)
    session = nil
    whenOver?()
    whenOver = nil
  }

  private func advance() {
    guard !isWriting else {
      if encoder.bytes.count > Self.longestBacklog {
        Log.warning("server", "a trace is ended: its reader is too slow")
        stop()
      }
      return
    }
    let bytes = encoder.takeBytes()
    guard !bytes.isEmpty else { return }
    isWriting = true
    writer.write(bytes, to: sink) { [self] isWhole in
      isWriting = false
      guard isWhole else { return stop() }
      advance()
    }
  }
}

extension ClientTree {
  /// Changes that were applied, less what secure layers draw: where they lie is told, and that they are secure.
  func withoutSecrets(_ changes: [Change]) -> [Change] {
    guard tree.hasSecrets else { return changes }
    return changes.filter { change in
      guard case .set(let layer, let property) = change, tree.isSecret(layer) else { return true }
      return property.isPlaceOfSecret
    }
  }
}

extension PropertyChange {
  /// What a placeholder is drawn by.
  fileprivate var isPlaceOfSecret: Bool {
    switch self {
    case .isSecure, .bounds, .position, .zPosition, .anchorPoint, .anchorPointZ, .transform, .sublayerTransform,
      .isDoubleSided, .isHidden, .opacity, .cornerRadius, .maskedCorners, .sourceLayer, .sourceLifetime,
      .hidesSourceLayer, .mask:
      true
    default: false
    }
  }
}

extension ServerCore {
  /// Records for a client from now on, in the place of whatever was recorded.
  func record(for session: ClientSession, to sink: ByteSink) {
    stopRecording()
    let recorder = TraceRecorder(session, sink, writer)
    recorder.append(tree.withoutSecrets(tree.tree.listing.changes))
    for output in outputs.values.sorted(by: { $0.number.rawValue < $1.number.rawValue }) where output.hasHadRoot {
      recorder.append(output)
    }
    // Nobody may be there to read it.
    guard !recorder.isOver else { return }
    tree.whenApplied = { [recorder, unowned tree] changes in recorder.append(tree.withoutSecrets(changes)) }
    recorder.whenOver = { [unowned self] in forgetRecorder() }
    self.recorder = recorder
  }

  func stopRecording() {
    recorder?.stop()
    forgetRecorder()
  }

  /// Its descriptor closes with it, once what it has is written.
  private func forgetRecorder() {
    tree.whenApplied = nil
    recorder = nil
  }
}
