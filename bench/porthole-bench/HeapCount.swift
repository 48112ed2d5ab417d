import BenchCore
import CAllocations

/// Counts allocations with the functions that this executable has in the place of the C library's.
final class HeapCount: AllocationCount {
  /// Nil where nothing is counted.
  init?() {
    guard porthole_allocations_counted() != 0 else { return nil }
  }

  func allocations(during body: () -> Void) -> Int {
    porthole_allocations_begin()
    body()
    return porthole_allocations_end()
  }

  var bytesInUse: Int { Int(clamping: porthole_heap_bytes()) }
}
