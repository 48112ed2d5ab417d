import CWebSockets

/// What libwebsockets tells, on its thread.
enum ViewEvents {
  static func take(
    _ wire: OpaquePointer?, _ reason: lws_callback_reasons, _ bytes: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int32 {
    guard let wire, let context = lws_get_context(wire), let raw = lws_context_user(context) else { return 0 }
    let room = Unmanaged<ViewRoom>.fromOpaque(raw).takeUnretainedValue()
    switch reason {
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: room.takeNews()
    case LWS_CALLBACK_HTTP: return answer(wire, room)
    case LWS_CALLBACK_HTTP_WRITEABLE: return sendBody(wire, room)
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return mayUpgrade(wire, room, bytes)
    case LWS_CALLBACK_CLOSED_HTTP: room.bodies[wire] = nil
    case LWS_CALLBACK_ESTABLISHED:
      guard room.join(wire) else { return close(wire, 1013, "there are too many viewers") }
    case LWS_CALLBACK_CLOSED: room.leave(wire)
    case LWS_CALLBACK_SERVER_WRITEABLE: return room.write(wire) ? 0 : -1
    case LWS_CALLBACK_RECEIVE:
      let part = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
      let isLast = lws_is_final_fragment(wire) != 0 && lws_remaining_packet_payload(wire) == 0
      let fault = room.take(
        part, isFirst: lws_is_first_fragment(wire) != 0, isLast: isLast, isBinary: lws_frame_is_binary(wire) != 0,
        from: wire)
      if let fault { return close(wire, fault.code, fault.words) }
    default: break
    }
    return 0
  }

  /// Says why, then ends the connection.
  private static func close(_ wire: OpaquePointer, _ code: UInt32, _ words: String) -> Int32 {
    var text = Array(words.utf8)
    lws_close_reason(wire, lws_close_status(code), &text, text.count)
    return -1
  }

  private static func header(_ token: lws_token_indexes, of wire: OpaquePointer) -> String? {
    let length = lws_hdr_total_length(wire, token)
    guard length > 0, length < 2048 else { return nil }
    var text = [CChar](repeating: 0, count: Int(length) + 1)
    guard lws_hdr_copy(wire, &text, Int32(text.count), token) == length else { return nil }
    return String(decoding: text.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// What a request names below the token; nil where it does not get in.
  private static func name(_ wire: OpaquePointer, _ room: ViewRoom) -> (name: String, host: String)? {
    guard let path = header(WSI_TOKEN_GET_URI, of: wire), let host = header(WSI_TOKEN_HOST, of: wire),
      room.door.admits(host: host), let name = room.door.name(in: path)
    else { return nil }
    return (name, host)
  }

  private static func mayUpgrade(_ wire: OpaquePointer, _ room: ViewRoom, _ kind: UnsafeMutableRawPointer?) -> Int32 {
    let asked = kind.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    guard asked == "websocket", let (name, host) = name(wire, room), name == "live",
      let origin = header(WSI_TOKEN_ORIGIN, of: wire), room.door.admits(origin: origin, host: host)
    else { return refuse(wire) }
    return 0
  }

  /// One answer to everybody who does not get in, whatever was wrong.
  private static func refuse(_ wire: OpaquePointer) -> Int32 {
    lws_return_http_status(wire, 404, nil)
    return 1
  }

  private static func answer(_ wire: OpaquePointer, _ room: ViewRoom) -> Int32 {
    guard let name = name(wire, room)?.name, let file = PageFile(name) else {
      lws_return_http_status(wire, 404, nil)
      return lws_http_transaction_completed(wire) != 0 ? -1 : 0
    }
    let before = ph_lws_room_before()
    var buffer = [UInt8](repeating: 0, count: before + 2048)
    let isWritten = buffer.withUnsafeMutableBufferPointer { bytes -> Bool in
      guard let base = bytes.baseAddress else { return false }
      let start = base + before
      let end = base + bytes.count
      var next: UnsafeMutablePointer<UInt8>? = start
      guard lws_add_http_common_headers(wire, 200, file.kind, UInt64(file.bytes.count), &next, end) == 0 else {
        return false
      }
      for (name, value) in PageFile.headers {
        guard lws_add_http_header_by_name(wire, name, value, Int32(value.utf8.count), &next, end) == 0 else {
          return false
        }
      }
      return lws_finalize_write_http_header(wire, start, &next, end) == 0
    }
    guard isWritten else { return -1 }
    room.bodies[wire] = file.bytes
    lws_callback_on_writable(wire)
    return 0
  }

  private static func sendBody(_ wire: OpaquePointer, _ room: ViewRoom) -> Int32 {
    guard let bytes = room.bodies.removeValue(forKey: wire) else { return 0 }
    let before = ph_lws_room_before()
    var message = [UInt8](repeating: 0, count: before) + bytes
    let count = bytes.count
    let isWritten = message.withUnsafeMutableBufferPointer { all in
      guard let base = all.baseAddress else { return false }
      return lws_write(wire, base + before, count, LWS_WRITE_HTTP_FINAL) >= count
    }
    return isWritten && lws_http_transaction_completed(wire) == 0 ? 0 : -1
  }
}
