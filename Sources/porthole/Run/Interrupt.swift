import Foundation
import Synchronization

/// Whether the user wants the tool to end. Unlike signals that are blocked, this leaves the programs that it starts as they
/// would be without it.
enum Interrupt {
  private static let flag = Atomic<Bool>(false)

  static var wasAsked: Bool { flag.load(ordering: .relaxed) }

  static func watch() {
    // The flag is made before a signal can want it.
    flag.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in Interrupt.flag.store(true, ordering: .relaxed) } }
  }
}
