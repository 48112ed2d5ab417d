import Geometry

/// One page that looks: what it watches, and what it has not been sent yet. Never more than that: pictures are made when they
/// can go, of the newest that there is.
final class Viewer {
  let number: UInt64
  /// The library's connection.
  let wire: OpaquePointer
  /// Nil until it has said.
  var output: UInt64?
  /// Where the picture that it shows is not the newest.
  var dirty = DirtyRegion()
  /// Pictures that were sent, and not shown yet.
  var unshown = 0
  /// What it asked for and was not given yet.
  var questions = 0
  /// What it did, and how often it watched something else, and the server has not done yet.
  var inputs = 0
  /// Texts that wait for the connection to take them.
  var texts: [(bytes: [UInt8], isAnswer: Bool)] = []
  /// Of a message that is not whole yet.
  var incoming: [UInt8] = []
  /// Whether the connection is read from.
  var isRead = true

  /// Why a viewer is ended, by WebSocket's own numbers.
  enum Fault {
    case binary, nonsense, tooLarge, tooMany

    var code: UInt32 {
      switch self {
      case .binary: 1003
      case .nonsense: 1007
      case .tooLarge: 1009
      case .tooMany: 1008
      }
    }

    var words: String {
      switch self {
      case .binary: "messages are texts"
      case .nonsense: "that is no message of the page's"
      case .tooLarge: "a message has at most \(PageMessage.byteLimit) bytes"
      case .tooMany: "answers are to be waited for"
      }
    }
  }

  /// Pictures that may be on their way at a time: one that is shown, one that travels.
  static let pictureLimit = 2
  static let questionLimit = 4
  static let inputLimit = 64

  init(_ number: UInt64, _ wire: OpaquePointer) { (self.number, self.wire) = (number, wire) }

  var takesPictures: Bool { unshown < Self.pictureLimit }
  /// It shows the newest picture, and could take the next one.
  var wantsNext: Bool { takesPictures && dirty.isEmpty }
}
