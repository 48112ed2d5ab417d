import CWLCS
import RenderServer

// What the suite calls, in its own process. The tables that it gets belong to the objects that they stand for.

/// Whom a table belongs to.
private func owner(_ pointer: UnsafeMutableRawPointer?) -> ServerOnTrial? {
  pointer.map { Unmanaged<ServerOnTrial>.fromOpaque($0).takeUnretainedValue() }
}

private func makeTable<Table>(_ empty: Table) -> UnsafeMutablePointer<Table> {
  let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
  table.initialize(to: empty)
  return table
}

private func keep(_ owner: ServerOnTrial) -> UnsafeMutableRawPointer { Unmanaged.passRetained(owner).toOpaque() }

private func letGo(_ owner: UnsafeMutableRawPointer?) {
  if let owner { Unmanaged<ServerOnTrial>.fromOpaque(owner).release() }
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
  let table = makeTable(cwlcs_server())
  table.pointee.version = 2
  table.pointee.start = { owner($0?.pointee.owner)?.start() }
  table.pointee.stop = { owner($0?.pointee.owner)?.stop() }
  table.pointee.create_client_socket = { owner($0?.pointee.owner)?.connect() ?? -1 }
  table.pointee.position_window = { table, display, surface, x, y in
    owner(table?.pointee.owner)?.place(surface, of: display, x: x, y: y)
  }
  table.pointee.create_pointer = { owner($0?.pointee.owner).map(makePointer) }
  table.pointee.create_touch = { owner($0?.pointee.owner).map(makeTouch) }
  table.pointee.describe = { _ in Description.table }
  table.pointee.owner = keep(made)
  return table
}

@_cdecl("porthole_wlcs_destroy_server")
func destroyServer(_ table: UnsafeMutablePointer<cwlcs_server>?) {
  letGo(table?.pointee.owner)
  table?.deallocate()
}

private func makePointer(_ server: ServerOnTrial) -> UnsafeMutablePointer<cwlcs_pointer> {
  let table = makeTable(cwlcs_pointer())
  table.pointee.version = 1
  table.pointee.move_absolute = { owner($0?.pointee.owner)?.movePointer(x: $1, y: $2, isRelative: false) }
  table.pointee.move_relative = { owner($0?.pointee.owner)?.movePointer(x: $1, y: $2, isRelative: true) }
  table.pointee.button_up = { owner($0?.pointee.owner)?.press($1, isDown: false) }
  table.pointee.button_down = { owner($0?.pointee.owner)?.press($1, isDown: true) }
  table.pointee.owner = keep(server)
  table.pointee.destroy = {
    letGo($0?.pointee.owner)
    $0?.deallocate()
  }
  return table
}

private func makeTouch(_ server: ServerOnTrial) -> UnsafeMutablePointer<cwlcs_touch> {
  let table = makeTable(cwlcs_touch())
  table.pointee.version = 1
  table.pointee.down = { owner($0?.pointee.owner)?.touch(.down, x: $1, y: $2) }
  table.pointee.move = { owner($0?.pointee.owner)?.touch(.moved, x: $1, y: $2) }
  table.pointee.up = { owner($0?.pointee.owner)?.touch(.up, x: 0, y: 0) }
  table.pointee.owner = keep(server)
  table.pointee.destroy = {
    letGo($0?.pointee.owner)
    $0?.deallocate()
  }
  return table
}

/// What the suite is to expect: it leaves out tests of what is not named here.
private enum Description {
  private static let offered: [(StaticString, UInt32)] = [
    ("wl_compositor", 4), ("wl_subcompositor", 1), ("wl_shm", 1), ("wl_seat", 7), ("wl_output", 4),
    ("wl_data_device_manager", 3), ("xdg_wm_base", 3), ("zxdg_output_manager_v1", 3), ("wp_viewporter", 1),
    ("zwp_primary_selection_device_manager_v1", 1), ("xdg_activation_v1", 1),
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
