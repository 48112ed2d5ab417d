import WaylandProtocol

/// Who may bring windows to the front: tokens that clients give each other (`xdg_activation_v1`). One counts for its first
/// use, and where its client had the keyboard when it asked.
final class Activation {
  /// The last ones that were given and that count.
  private var tokens: [String] = []
  private static let tokenLimit = 64
  private unowned let seat: Seat

  init(_ seat: Seat) { self.seat = seat }

  /// - Parameter client: who asks.
  func newToken(for client: ServerClient?) -> String {
    var generator = SystemRandomNumberGenerator()
    let token = (0..<2).map { _ in String(generator.next(), radix: 36) }.joined(separator: "-")
    guard let client, seat.keyboard.surface?.client.session.wire === client else { return token }
    if tokens.count >= Self.tokenLimit { tokens.removeFirst() }
    tokens.append(token)
    return token
  }

  func activate(_ surface: SurfaceObject, _ token: String) {
    guard let place = tokens.firstIndex(of: token) else { return }
    tokens.remove(at: place)
    // One that shows nothing yet gets the keyboard when it does.
    guard surface.isMapped, let window = surface.window else { return }
    seat.opened(window)
  }
}

/// A client's `xdg_activation_v1`.
final class ActivationObject: XdgActivationV1.RequestHandler {
  private let activation: Activation

  init(_ activation: Activation) { self.activation = activation }

  func destroy(_ resource: Resource<XdgActivationV1>) throws(ProtocolViolation) {}

  func getActivationToken(
    _ resource: Resource<XdgActivationV1>, id: consuming NewID<XdgActivationTokenV1>
  ) throws(ProtocolViolation) {
    try id.create(ActivationTokenObject(activation))
  }

  func activate(
    _ resource: Resource<XdgActivationV1>, token: String, surface: Resource<WlSurface>
  ) throws(ProtocolViolation) {
    if let surface = surface.handler as? SurfaceObject { activation.activate(surface, token) }
  }
}

/// A client's `xdg_activation_token_v1`: what it says of itself changes nothing, since the server knows who it is.
private final class ActivationTokenObject: XdgActivationTokenV1.RequestHandler {
  private let activation: Activation
  private var isGiven = false

  init(_ activation: Activation) { self.activation = activation }

  private func checkUnused() throws(ProtocolViolation) {
    guard !isGiven else {
      throw ProtocolViolation(XdgActivationTokenV1.ErrorCode.alreadyUsed, "the token was given already")
    }
  }

  func setSerial(
    _ resource: Resource<XdgActivationTokenV1>, serial: UInt32, seat: Resource<WlSeat>
  ) throws(ProtocolViolation) {
    try checkUnused()
  }

  func setAppId(_ resource: Resource<XdgActivationTokenV1>, appId: String) throws(ProtocolViolation) {
    try checkUnused()
  }

  func setSurface(
    _ resource: Resource<XdgActivationTokenV1>, surface: Resource<WlSurface>
  ) throws(ProtocolViolation) {
    try checkUnused()
  }

  func commit(_ resource: Resource<XdgActivationTokenV1>) throws(ProtocolViolation) {
    try checkUnused()
    isGiven = true
    resource.sendDone(token: activation.newToken(for: resource.client))
  }

  func destroy(_ resource: Resource<XdgActivationTokenV1>) throws(ProtocolViolation) {}
}
