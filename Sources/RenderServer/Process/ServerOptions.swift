import GLES
import LiveView

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How a server is to be set up.
public struct ServerOptions: Sendable {
  /// A name below `$XDG_RUNTIME_DIR/porthole/`, or a path with a slash in it.
  public var socket = "porthole-0"
  public var display = DisplayChoice.automatic
  /// The highest rate that an output gets, in frames per 1000 seconds.
  public var highestRate: UInt32 = 240_000
  public var limits = ClientLimits()
  /// Users besides the server's own who may connect.
  public var allowedUsers: Set<UInt32> = []
  /// Connections at a time.
  public var connectionLimit = 256
  /// Clients may make secure outputs.
  public var allowsSecureOutputs = false
  /// Written to, one line with the socket's path, and closed when clients can connect.
  public var readyDescriptor: Int32?

  /// What programs that know nothing of portals are shown on; nil where only clients of `porthole_v1` are served.
  public var desk: DeskOptions?

  /// Where a page shows the outputs and takes what a hand does there; nil for nowhere.
  public var view: ViewAddress?

  public init() {}

  /// What the arguments ask for.
  public enum Request: Sendable {
    case serve(ServerOptions)
    case help
    case version
  }

  /// Reads a command line, without the program's name.
  /// - Throws: for the first argument that can't be understood.
  public static func read(_ arguments: [String]) throws(OptionError) -> Request {
    var options = ServerOptions()
    var rest = arguments[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts.first ?? word
      switch word {
      case "--help", "-h": return .help
      case "--version": return .version
      default: break
      }
      guard known.contains(name) else { throw OptionError("unknown argument “\(word)”") }
      guard let value = parts.count > 1 ? parts[1] : rest.popFirst(), !value.isEmpty else {
        throw OptionError("\(name) needs a value")
      }
      try options.take(name, value)
    }
    return .serve(options)
  }

  private static let known: Set = [
    "--socket", "--display", "--rate", "--limits", "--allow-uid", "--ready-fd", "--connections",
    "--layout", "--desk", "--view",
  ]

  private mutating func take(_ name: String, _ value: String) throws(OptionError) {
    switch name {
    case "--socket": socket = value
    case "--display":
      guard let choice = DisplayChoice(value) else {
        throw OptionError("--display is automatic, gbm, device or surfaceless, not “\(value)”")
      }
      display = choice
    case "--rate":
      guard let rate = Double(value), rate > 0, rate <= 1000 else {
        throw OptionError("--rate is a number of frames a second, more than 0 and at most 1000, not “\(value)”")
      }
      highestRate = UInt32(max(1, (rate * 1000).rounded()))
    case "--limits": try limits.change(value)
    case "--allow-uid":
      guard let user = UInt32(value) else { throw OptionError("--allow-uid is a user's number, not “\(value)”") }
      allowedUsers.insert(user)
    case "--layout":
      guard let layout = DeskOptions.Layout(rawValue: value) else {
        let names = DeskOptions.Layout.allCases.map(\.rawValue).joined(separator: ", ")
        throw OptionError("--layout is one of \(names), not “\(value)”")
      }
      if desk == nil { desk = DeskOptions(layout: layout) } else { desk?.layout = layout }
    case "--desk":
      var changed = desk ?? DeskOptions(layout: .cascade)
      try changed.readMode(value)
      desk = changed
    case "--view":
      guard let place = ViewAddress(value) else {
        throw OptionError("--view is a port, or an address and a port such as 127.0.0.1:8080, not “\(value)”")
      }
      view = place
    case "--connections":
      guard let count = Int(value), count > 0, count <= 65_536 else {
        throw OptionError("--connections is a whole number from 1 to 65536, not “\(value)”")
      }
      connectionLimit = count
    default:
      guard let number = Int32(value), number > 2 else {
        throw OptionError("--ready-fd is the number of an open descriptor above 2, not “\(value)”")
      }
      readyDescriptor = number
    }
  }
}
