import Commit
import Geometry

/// Which copies a walk is inside of. The root's is `outside`; only portals of recursive sources change it.
public struct RecursionContext: Sendable, Hashable {
  /// Index in the table.
  public var index: Int32

  public static let outside = RecursionContext(index: 0)
}

/// What a portal shows at some level of recursion.
public enum PortalEntry: Sendable, Equatable {
  /// Nothing: the rule ends it here.
  case nothing
  /// The source's content, to be walked in this context.
  case content(RecursionContext)
  /// The picture that the source's bounds showed in the frame before.
  case previousFrame
}
