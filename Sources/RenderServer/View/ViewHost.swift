import Commit
import Diagnostics
import FramePlan
import GLES
import Geometry
import JSON
import LinuxIO
import LiveView
import WaylandProtocol

/// The view's end on the loop: gives viewers what they ask for, and does what their hands do.
final class ViewHost {
  private unowned let server: ServerCore
  private let view: ViewServer
  private var requests: [ViewRequest] = []
  private var hands: [UInt64: ViewHand] = [:]
  /// What pages were told of the pointer.
  private var toldPointer = false

  /// Where the page is.
  var address: String { view.address }

  init(_ server: ServerCore, _ place: ViewAddress) throws(ServerError) {
    self.server = server
    do throws(ViewError) {
      view = try ViewServer(place, token: Environment.current.viewToken)
    } catch {
      throw ServerError(.system, error.description)
    }
    if !place.isLoopback {
      Log.warning(
        "view",
        "the view at \(place.host) can be reached by other machines, and is not encrypted: whoever reads its address"
          + " on the way can use it. Let it be 127.0.0.1, and lead there by ssh -L")
    }
    do {
      try server.loop.watch(view.requests) { [unowned self] in takeRequests() }
    } catch {
      view.close()
      throw ServerError(error)
    }
  }

  func close() { view.close() }

  private func takeRequests() {
    view.requests.take(into: &requests)
    var done: [UInt64: Int] = [:]
    for request in requests {
      switch request {
      case .joined(let viewer):
        hands[viewer] = ViewHand(viewer)
        view.post(.greeting(viewer: viewer, greeting))
        view.post(.greeting(viewer: viewer, pointerNotice))
      case .left(let viewer):
        if let seat = server.compositor?.seat { hands[viewer]?.letGo(seat) }
        hands[viewer] = nil
      case .watch(let viewer, let number):
        done[viewer, default: 0] += 1
        watch(number)
      case .unwatch(let number): server.outputs[OutputNumber(rawValue: number)]?.watch = nil
      case .want(let number):
        guard let output = server.outputs[OutputNumber(rawValue: number)], let watch = output.watch else { continue }
        watch.want()
        output.catchUp()
      case .ask(let viewer, let output, let question):
        view.post(
          .answer(viewer: viewer, answer(question, output.flatMap { server.outputs[OutputNumber(rawValue: $0)] })))
      case .input(let viewer, let output, let input):
        done[viewer, default: 0] += 1
        let output = output.flatMap { server.outputs[OutputNumber(rawValue: $0)] }
        if let seat = server.compositor?.seat { hands[viewer]?.act(input, on: output, seat) }
      }
    }
    requests.removeAll(keepingCapacity: true)
    for (viewer, count) in done { view.post(.done(viewer: viewer, inputs: count)) }
  }

  private func watch(_ number: UInt64) {
    guard let output = server.outputs[OutputNumber(rawValue: number)], !output.isSecure else {
      return view.post(.gone(output: number))
    }
    if output.watch == nil { output.watch = OutputWatch(self, output.mode.size) }
  }

  /// A watched output has a picture.
  func show(
    _ pixels: [UInt8], of output: OutputObject, size: PixelSize, _ damage: DirtyRegion, _ stamp: FrameStamp,
    nanoseconds: UInt64, _ counters: FrameCounters
  ) {
    let summary = JSONValue.object([
      ("sequence", .unsigned(stamp.sequence)), ("time", .milliseconds(Double(stamp.time) / 1e6)),
      ("milliseconds", .milliseconds(Double(nanoseconds) / 1e6)), ("scale", .number(output.mode.scale)),
      ("rate", .number(output.mode.period > 0 ? 1e9 / Double(output.mode.period) : 0)),
      ("counters", .counters(counters)),
    ])
    view.post(
      .picture(
        ViewPicture(
          output: output.number.rawValue, size: size, pixels: pixels, damage: damage,
          summary: String(summary.line.dropLast()))))
  }

  func lost(_ output: OutputNumber) { view.post(.gone(output: output.rawValue)) }

  // MARK: The pointer

  /// The desk shows a pointer, or has none for where it is: a page that shows its own one too would show two.
  func tellPointer(isDrawn: Bool) {
    guard isDrawn != toldPointer else { return }
    toldPointer = isDrawn
    view.post(.notice(pointerNotice))
  }

  private var pointerNotice: String {
    JSONValue.object([("pointer", .object([("isDrawn", .boolean(toldPointer))]))]).line
  }

  // MARK: Answers

  private var greeting: String {
    JSONValue.object([
      (
        "server",
        .object([
          ("version", .string(ServerProcess.version)), ("renderer", .string(server.device.renderer)),
          ("takesInput", .boolean(server.compositor != nil)),
          ("desk", .unsigned(server.compositor?.desk.outputNumber.rawValue ?? 0)),
        ])
      )
    ]).line
  }

  private func answer(_ question: ViewQuestion, _ output: OutputObject?) -> String {
    switch question {
    case .hit(let point):
      return "{\"answer\":\"hit\",\"value\":\(output.map { server.hitDocument(point, $0) } ?? "[]")}"
    case .document(let name):
      let value: String? =
        switch name {
        case "tree": server.document(.tree)
        case "outputs": server.document(.outputs)
        case "damage": server.document(.damage)
        case "metrics": server.document(.metrics).map { JSONValue.string($0).line }
        case "scene": output.map { server.sceneDocument($0) }
        default: nil
        }
      return "{\"answer\":\(JSONValue.string(name).line),\"value\":\(value ?? "null")}"
    }
  }
}
