import CWLCS
import RenderServer

// What the suite calls, in its own process. The tables that it gets belong to the objects that they stand for.

/// The server that a table belongs to.
private func server(_ table: UnsafePointer<cwlcs_server>?) -> ServerOnTrial? {
  table?.pointee.owner.map { Unmanaged<ServerOnTrial>.fromOpaque($0).takeUnretainedValue() }
}

@_cdecl("porthole_wlcs_create_server")
func createServer(
  _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> UnsafeMutablePointer<cwlcs_server>? {
  let words = (0..<Int(count)).compactMap { arguments?[$0].map { String(cString: $0) } }
  let made: ServerOnTrial
  do { made = try ServerOnTrial(isStrict: words.contains("--strict")) } catch {
    print("no server: \(error)")
    return nil
  }
  let table = UnsafeMutablePointer<cwlcs_server>.allocate(capacity: 1)
  table.initialize(to: cwlcs_server())
  table.pointee.version = 2
  table.pointee.start = { server($0)?.start() }
  table.pointee.stop = { server($0)?.stop() }
  table.pointee.create_client_socket = { server($0)?.connect() ?? -1 }
  table.pointee.position_window = { table, display, surface, x, y in
    server(table)?.place(surface, of: display, x: x, y: y)
  }
  table.pointee.create_pointer = { server($0).map(makePointer) }
  table.pointee.create_touch = { server($0).map(makeTouch) }
  table.pointee.describe = { _ in Description.table }
  table.pointee.owner = Unmanaged.passRetained(made).toOpaque()
  return table
}

@_cdecl("porthole_wlcs_destroy_server")
func destroyServer(_ table: UnsafeMutablePointer<cwlcs_server>?) {
  guard let table else { return }
  if let owner = table.pointee.owner { Unmanaged<ServerOnTrial>.fromOpaque(owner).release() }
  table.deallocate()
}

private func pointer(_ table: UnsafePointer<cwlcs_pointer>?) -> ServerOnTrial? {
  table?.pointee.owner.map { Unmanaged<ServerOnTrial>.fromOpaque($0).takeUnretainedValue() }
}

private func makePointer(_ server: ServerOnTrial) -> UnsafeMutablePointer<cwlcs_pointer> {
  let table = UnsafeMutablePointer<cwlcs_pointer>.allocate(capacity: 1)
  table.initialize(to: cwlcs_pointer())
  table.pointee.version = 1
  table.pointee.move_absolute = { pointer($0)?.movePointer(x: $1, y: $2, isRelative: false) }
  table.pointee.move_relative = { pointer($0)?.movePointer(x: $1, y: $2, isRelative: true) }
  table.pointee.button_up = { pointer($0)?.press($1, isDown: false) }
  table.pointee.button_down = { pointer($0)?.press($1, isDown: true) }
  table.pointee.destroy = { table in
    guard let table else { return }
    if let owner = table.pointee.owner { Unmanaged<ServerOnTrial>.fromOpaque(owner).release() }
    table.deallocate()
  }
  table.pointee.owner = Unmanaged.passRetained(server).toOpaque()
  return table
}

private func touch(_ table: UnsafePointer<cwlcs_touch>?) -> ServerOnTrial? {
  table?.pointee.owner.map { Unmanaged<ServerOnTrial>.fromOpaque($0).takeUnretainedValue() }
}

private func makeTouch(_ server: ServerOnTrial) -> UnsafeMutablePointer<cwlcs_touch> {
  let table = UnsafeMutablePointer<cwlcs_touch>.allocate(capacity: 1)
  table.initialize(to: cwlcs_touch())
  table.pointee.version = 1
  table.pointee.down = { touch($0)?.touch(.down, x: $1, y: $2) }
  table.pointee.move = { touch($0)?.touch(.moved, x: $1, y: $2) }
  table.pointee.up = { touch($0)?.touch(.up, x: 0, y: 0) }
  table.pointee.destroy = { table in
    guard let table else { return }
    if let owner = table.pointee.owner { Unmanaged<ServerOnTrial>.fromOpaque(owner).release() }
    table.deallocate()
  }
  table.pointee.owner = Unmanaged.passRetained(server).toOpaque()
  return table
}

/// What the suite is to expect: it leaves out tests of what is not named here.
private enum Description {
  private static let offered: [(StaticString, UInt32)] = [
    ("wl_compositor", 4), ("wl_subcompositor", 1), ("wl_shm", 1), ("wl_seat", 7), ("wl_output", 4),
    ("wl_data_device_manager", 3), ("xdg_wm_base", 3), ("zxdg_output_manager_v1", 3), ("wp_viewporter", 1),
  ]

  /// For as long as the process.
  nonisolated(unsafe) static let table: UnsafePointer<cwlcs_description> = {
    let extensions = UnsafeMutablePointer<cwlcs_extension>.allocate(capacity: offered.count)
    for (index, (name, version)) in offered.enumerated() {
      let text = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
      extensions.advanced(by: index).initialize(to: cwlcs_extension(name: text, version: version))
    }
    let table = UnsafeMutablePointer<cwlcs_description>.allocate(capacity: 1)
    table.initialize(to: cwlcs_description(version: 1, extension_count: offered.count, extensions: extensions))
    return UnsafePointer(table)
  }()
}
