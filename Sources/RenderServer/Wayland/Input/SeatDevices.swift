import WaylandProtocol

/// What clients have made of one of the seat's devices: each of them any number.
struct SeatDevices<Interface: WaylandInterface> {
  private var resources: [Resource<Interface>] = []

  mutating func add(_ resource: Resource<Interface>) {
    resources.removeAll { !$0.isAlive }
    resources.append(resource)
  }

  /// Those of one client.
  func of(_ client: SurfaceClient) -> [Resource<Interface>] {
    resources.filter { $0.isAlive && $0.client === client.session.wire }
  }

  mutating func forget(_ client: SurfaceClient) {
    resources.removeAll { !$0.isAlive || $0.client === client.session.wire }
  }
}
