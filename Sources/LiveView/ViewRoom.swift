import CWebSockets
import Diagnostics
import Geometry
import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The library's context and everybody in it. Lives on the view's thread.
final class ViewRoom {
  let door: ViewDoor
  private let letters: ViewLetters
  private let requests: Mailbox<ViewRequest>
  private let viewerLimit: Int
  private var context: OpaquePointer?
  /// What the library looks at for as long as its context lives.
  private let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
  private let patience = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
  private let texts: [UnsafeMutablePointer<CChar>?]
  private(set) var port: Int32 = 0

  private var viewers: [OpaquePointer: Viewer] = [:]
  private var nextNumber: UInt64 = 1
  /// Bodies of answers whose headers are on their way.
  var bodies: [OpaquePointer: [UInt8]] = [:]
  private var pictures: [UInt64: ViewPicture] = [:]
  /// Outputs whose next picture is wanted already.
  private var wanted: Set<UInt64> = []

  init(
    _ place: ViewAddress, _ door: ViewDoor, _ letters: ViewLetters, _ requests: Mailbox<ViewRequest>, viewerLimit: Int
  ) throws(ViewError) {
    (self.door, self.letters, self.requests, self.viewerLimit) = (door, letters, requests, viewerLimit)
    texts = ["porthole-view", place.isAny ? nil : place.host, "porthole"].map { $0.flatMap { strdup($0) } }
    var entry = lws_protocols()
    entry.name = UnsafePointer(texts[0])
    entry.callback = { wire, reason, _, bytes, count in ViewEvents.take(wire, reason, bytes, count) }
    entry.rx_buffer_size = PageMessage.byteLimit
    protocols.initialize(to: entry)
    (protocols + 1).initialize(to: lws_protocols())
    // A page that is silent is asked whether it lives, and let go where it does not.
    patience.initialize(to: lws_retry_bo_t())
    patience.pointee.secs_since_valid_ping = 30
    patience.pointee.secs_since_valid_hangup = 60
    try open(place)
  }

  deinit {
    end()
    protocols.deallocate()
    patience.deallocate()
    for text in texts { free(text) }
  }

  private func open(_ place: ViewAddress) throws(ViewError) {
    // Its warnings are of what visitors did wrong.
    lws_set_log_level(1 << 0) { _, line in
      guard let line else { return }
      Log.warning("view", String(cString: line).trimmingNewline)
    }
    var info = lws_context_creation_info()
    info.port = Int32(place.port)
    info.iface = UnsafePointer(texts[1])
    info.protocols = UnsafePointer(protocols)
    info.server_string = UnsafePointer(texts[2])
    info.user = Unmanaged.passUnretained(self).toOpaque()
    info.options = ph_lws_checked_text() | (place.isIPv6 ? 0 : ph_lws_without_ipv6())
    (info.gid, info.uid) = (-1, -1)
    // Pages load a handful of files at a time.
    info.fd_limit_per_thread = UInt32(viewerLimit) * 8 + 16
    info.timeout_secs = 10
    info.keepalive_timeout = 5
    info.retry_and_idle_policy = UnsafePointer(patience)
    context = lws_create_context(&info)
    guard let context, let host = lws_get_vhost_by_name(context, "default"), lws_get_vhost_listen_port(host) > 0 else {
      end()
      throw ViewError("can't listen at \(place.host), port \(place.port); is the port in use? Give --view another one")
    }
    port = lws_get_vhost_listen_port(host)
    letters.wake(context)
  }

  /// The thread's work, until the letters are closed.
  func serve() {
    while let context, !letters.isClosed, lws_service(context, 0) >= 0 {}
  }

  func end() {
    letters.wake(nil)
    guard let context else { return }
    self.context = nil
    lws_context_destroy(context)
  }

  // MARK: News

  func takeNews() {
    for news in letters.take() {
      switch news {
      case .picture(let picture): take(picture)
      case .gone(let output):
        (pictures[output], _) = (nil, wanted.remove(output))
        for viewer in viewers.values where viewer.output == output {
          viewer.output = nil
          send("{\"gone\":\(output)}", to: viewer)
        }
      case .answer(let number, let text):
        guard let viewer = viewers.values.first(where: { $0.number == number }) else { continue }
        send(text, to: viewer, isAnswer: true)
      case .greeting(let number, let text):
        guard let viewer = viewers.values.first(where: { $0.number == number }) else { continue }
        send(text, to: viewer)
      case .notice(let text): for viewer in viewers.values { send(text, to: viewer) }
      case .done(let number, let count):
        guard let viewer = viewers.values.first(where: { $0.number == number }) else { continue }
        viewer.inputs -= min(count, viewer.inputs)
        holdBack(viewer)
      }
    }
  }

  private func take(_ picture: ViewPicture) {
    wanted.remove(picture.output)
    // It was on its way when the last one left.
    guard viewers.values.contains(where: { $0.output == picture.output }) else { return }
    let isNewSize = pictures[picture.output].map { $0.size != picture.size } ?? true
    pictures[picture.output] = picture
    for viewer in viewers.values where viewer.output == picture.output {
      if isNewSize { viewer.dirty = DirtyRegion(picture.size) } else { viewer.dirty.add(picture.damage) }
      callBack(viewer)
    }
    want(picture.output)
  }

  /// Asks for the next picture, where somebody can take it.
  private func want(_ output: UInt64) {
    guard !wanted.contains(output),
      viewers.values.contains(where: { $0.output == output && $0.wantsNext })
    else { return }
    wanted.insert(output)
    requests.post(.want(output: output))
  }

  private func send(_ text: String, to viewer: Viewer, isAnswer: Bool = false) {
    viewer.texts.append(([UInt8](repeating: 0, count: ph_lws_room_before()) + text.utf8, isAnswer))
    lws_callback_on_writable(viewer.wire)
  }

  private func callBack(_ viewer: Viewer) {
    if !viewer.dirty.isEmpty, viewer.takesPictures { lws_callback_on_writable(viewer.wire) }
  }

  /// Reads on only where what came has been done.
  private func holdBack(_ viewer: Viewer) {
    let isRead = viewer.inputs < Viewer.inputLimit
    guard isRead != viewer.isRead else { return }
    viewer.isRead = isRead
    lws_rx_flow_control(viewer.wire, isRead ? 1 : 0)
  }

  // MARK: Viewers

  /// - Returns: false where there are too many.
  func join(_ wire: OpaquePointer) -> Bool {
    guard viewers.count < viewerLimit else { return false }
    let viewer = Viewer(nextNumber, wire)
    nextNumber += 1
    viewers[wire] = viewer
    requests.post(.joined(viewer: viewer.number))
    return true
  }

  func leave(_ wire: OpaquePointer) {
    bodies[wire] = nil
    guard let viewer = viewers.removeValue(forKey: wire) else { return }
    unwatch(viewer.output)
    requests.post(.left(viewer: viewer.number))
  }

  func isViewer(_ wire: OpaquePointer) -> Bool { viewers[wire] != nil }

  /// A part of a message has come.
  /// - Returns: what the viewer is to be ended for.
  func take(
    _ bytes: UnsafeRawBufferPointer, isFirst: Bool, isLast: Bool, isBinary: Bool, from wire: OpaquePointer
  )
    -> Viewer.Fault?
  {
    guard let viewer = viewers[wire] else { return .nonsense }
    if isFirst { viewer.incoming.removeAll(keepingCapacity: true) }
    guard !isBinary else { return .binary }
    guard viewer.incoming.count + bytes.count <= PageMessage.byteLimit else { return .tooLarge }
    viewer.incoming += bytes
    guard isLast else { return nil }
    guard let message = PageMessage(viewer.incoming) else { return .nonsense }
    return act(message, of: viewer)
  }

  private func act(_ message: PageMessage, of viewer: Viewer) -> Viewer.Fault? {
    switch message {
    case .watch(let output): watch(output, viewer)
    case .acknowledge:
      guard viewer.unshown > 0 else { return .nonsense }
      viewer.unshown -= 1
      callBack(viewer)
      if let output = viewer.output { want(output) }
    case .ask(let question):
      guard viewer.questions < Viewer.questionLimit else { return .tooMany }
      viewer.questions += 1
      requests.post(.ask(viewer: viewer.number, output: viewer.output, question))
    case .input(let input):
      viewer.inputs += 1
      requests.post(.input(viewer: viewer.number, output: viewer.output, input))
      holdBack(viewer)
    }
    return nil
  }

  private func watch(_ output: UInt64, _ viewer: Viewer) {
    viewer.inputs += 1
    holdBack(viewer)
    let old = viewer.output
    viewer.output = output
    viewer.dirty = pictures[output].map { DirtyRegion($0.size) } ?? DirtyRegion()
    if old != output { unwatch(old) }
    requests.post(.watch(viewer: viewer.number, output: output))
    callBack(viewer)
    want(output)
  }

  private func unwatch(_ output: UInt64?) {
    guard let output, !viewers.values.contains(where: { $0.output == output }) else { return }
    (pictures[output], _) = (nil, wanted.remove(output))
    requests.post(.unwatch(output: output))
  }

  /// The connection takes something: one message.
  /// - Returns: false where it is to be ended.
  func write(_ wire: OpaquePointer) -> Bool {
    guard let viewer = viewers[wire] else { return false }
    let room = ph_lws_room_before()
    if !viewer.texts.isEmpty {
      var text = viewer.texts.removeFirst()
      if text.isAnswer { viewer.questions -= 1 }
      guard Self.write(&text.bytes, room, wire, LWS_WRITE_TEXT) else { return false }
    } else if viewer.takesPictures, !viewer.dirty.isEmpty, let output = viewer.output, let picture = pictures[output] {
      viewer.dirty.clip(to: picture.size)
      guard var message = FrameMessage.encode(picture, viewer.dirty, room: room) else { return false }
      viewer.dirty = DirtyRegion()
      viewer.unshown += 1
      guard Self.write(&message, room, wire, LWS_WRITE_BINARY) else { return false }
      want(output)
    }
    if !viewer.texts.isEmpty { lws_callback_on_writable(wire) } else { callBack(viewer) }
    return true
  }

  private static func write(
    _ message: inout [UInt8], _ room: Int, _ wire: OpaquePointer, _ kind: lws_write_protocol
  ) -> Bool {
    let count = message.count - room
    return message.withUnsafeMutableBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return false }
      return lws_write(wire, start + room, count, kind) >= count
    }
  }
}

extension String {
  fileprivate var trimmingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
