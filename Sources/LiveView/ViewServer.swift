import CWebSockets
import Diagnostics
import LinuxIO

/// A web server of one page, which shows outputs and sends what a hand does there, by libwebsockets on a thread named `view`.
///
/// It belongs to the thread that made it. What viewers want comes by `requests`, in bounded numbers: who asks for more than
/// is being done is not read from until it is. What is new goes there by `post`; a picture goes only where one was wanted.
public final class ViewServer {
  public let requests: Mailbox<ViewRequest>
  /// What to open in a browser, with the token.
  public let address: String
  private let thread: NamedThread
  private let room: ThreadBound<ViewRoom>
  private let letters: ViewLetters

  /// Listens, and lets viewers in from now on.
  /// - Parameters:
  ///   - token: the secret of the address; one of random bits where it is nil.
  ///   - viewers: the most at a time.
  /// - Throws: where the address can't be had, or the token is none.
  public init(_ place: ViewAddress, token: String?, viewers: Int = 8) throws(ViewError) {
    let secret: ViewToken
    if let token {
      guard let chosen = ViewToken(token) else {
        throw ViewError("a view's token is 20 to 128 letters, digits, - and _; see PORTHOLE_VIEW_TOKEN")
      }
      secret = chosen
    } else {
      secret = .random()
    }
    let letters = ViewLetters()
    do { requests = try Mailbox() } catch { throw ViewError(error.description) }
    do { thread = try NamedThread(name: "view") } catch { throw ViewError(error.description) }
    let (requests, door) = (requests, ViewDoor(token: secret, isLoopback: place.isLoopback))
    do throws(ViewError) {
      room = try ThreadBound(on: thread) { () throws(ViewError) in
        try ViewRoom(place, door, letters, requests, viewerLimit: viewers)
      }
    } catch {
      thread.stop()
      throw error
    }
    self.letters = letters
    let port = room.with { $0.port }
    let host = place.isAny ? "localhost" : place.isIPv6 ? "[\(place.host)]" : place.host
    address = "http://\(host):\(port)/\(secret.text)/"
    room.post { $0.serve() }
  }

  deinit { close() }

  public func post(_ news: ViewNews) { letters.post(news) }

  /// Ends every viewer and the thread. A second call does nothing.
  public func close() {
    letters.close()
    room.release { $0.end() }
    thread.stop()
  }
}

/// What is on its way to the viewers' thread, and what wakes that.
final class ViewLetters: Sendable {
  /// Unchecked: the library lets any thread cancel another's waiting, as long as there is a context, which the lock sees to.
  private struct Context: @unchecked Sendable { var pointer: OpaquePointer? }

  private struct State {
    var news: [ViewNews] = []
    var isClosed = false
    var context = Context()
  }

  private let state = Guarded(State())

  func post(_ news: ViewNews) {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.news.append(news)
      if state.news.count == 1, let context = state.context.pointer { lws_cancel_service(context) }
    }
  }

  func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      if let context = state.context.pointer { lws_cancel_service(context) }
    }
  }

  var isClosed: Bool { state.withLock(\.isClosed) }

  /// Who is to be woken; nil before there is any, and once it is gone.
  func wake(_ context: OpaquePointer?) {
    let boxed = Context(pointer: context)
    state.withLock { $0.context = boxed }
  }

  func take() -> [ViewNews] {
    state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
  }
}
