/// Counts what is taken from the heap; the executable brings it, since it must be linked in the place of the C library's own.
public protocol AllocationCount: AnyObject {
  /// Allocations by Swift code during `body`, on any thread.
  func allocations(during body: () -> Void) -> Int
  /// Bytes that are in use.
  var bytesInUse: Int { get }
}
