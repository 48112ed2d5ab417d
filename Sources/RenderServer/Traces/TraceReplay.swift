import Commit
import GLES
import Geometry
import LinuxIO
import RenderTree

/// A trace, replayed into a tree of this process: every commit in order, and then the last frame.
public struct TraceReplay {
  private struct Scene {
    var tree: RenderTree
    var output: TraceOutput
  }

  public private(set) var commits = 0
  public private(set) var changes = 0
  /// From the beginning of the recording to the last commit.
  public private(set) var nanoseconds: UInt64 = 0
  private var tree = RenderTree()
  private var outputs: [UInt64: TraceOutput] = [:]
  /// Outputs that ended, as they were then.
  private var ended: [UInt64: Scene] = [:]
  private var lastEnded: UInt64?

  /// Replays all of it.
  /// - Throws: for what is no trace, and for a commit that the tree refuses.
  public init(_ bytes: [UInt8]) throws(TraceError) {
    var reader = try TraceReader(bytes)
    while let event = try reader.next() {
      switch event {
      case .commit(let time, let list):
        tree.advance(to: Double(time) / 1e9)
        do {
          try tree.apply(Commit(list))
        } catch {
          throw TraceError("commit \(commits + 1) of the trace can't be replayed: \(error.description)")
        }
        commits += 1
        changes += list.count
        nanoseconds = time
      case .output(let number, let output): outputs[number] = output
      case .outputEnd(let number):
        guard let output = outputs.removeValue(forKey: number) else { continue }
        ended[number] = Scene(tree: tree, output: output)
        lastEnded = number
      }
    }
  }

  public var layerCount: Int { tree.layerCount }

  /// The numbers of the outputs that the trace has, those that ended too.
  public var outputNumbers: [UInt64] { (Array(outputs.keys) + ended.keys).sorted() }

  /// The output that is drawn where none is named: the newest that was there at the end, or the last one to end.
  public var lastOutput: UInt64? { outputs.keys.max() ?? lastEnded }

  /// Draws the last frame of an output; nil for one that the trace does not have.
  public func draw(output number: UInt64, display: DisplayChoice) throws(ServerError) -> Image? {
    let scene = outputs[number].map { Scene(tree: tree, output: $0) } ?? ended[number]
    guard var scene else { return nil }
    let output = scene.output
    let job = FrameJob(
      output: OutputNumber(rawValue: number), snapshot: scene.tree.snapshot(root: output.root), size: output.size,
      scale: output.scale, background: output.background.premultiplied, reading: 0)
    let thread: NamedThread
    do { thread = try NamedThread(name: "render") } catch { throw ServerError(error) }
    defer { thread.stop() }
    let choice = display == .automatic ? nil : display
    let workshop = try ThreadBound(on: thread) { () throws(ServerError) in try Workshop(choice) }
    defer { workshop.release { $0.shutdown() } }
    let (outcome, messages) = workshop.with { ($0.draw(job), $0.takePixels(waitingNanoseconds: 10_000_000_000)) }
    if case .failed(let reason) = outcome.result { throw ServerError(.system, "the frame was not drawn: \(reason)") }
    guard case .pixels(_, _, let pixels?)? = messages.last,
      let image = Image(size: output.size, alpha: .premultiplied, pixels: pixels)
    else { throw ServerError(.system, "the frame was drawn, but can't be read") }
    return image
  }
}
