import CLinux

/// On which processors the calling thread, and those that it starts from now on, may run. Numbers are the system's.
public enum Processors {
  /// Nil where the system does not say.
  public static var allowed: [Int]? {
    let capacity = 1024
    var numbers = [Int32](repeating: 0, count: capacity)
    let count = clinux_get_processors(&numbers, Int32(capacity))
    return count > 0 ? numbers.prefix(Int(count)).map(Int.init) : nil
  }

  /// False, and nothing is changed, where the system refuses.
  public static func allow(_ processors: [Int]) -> Bool {
    let numbers = processors.compactMap { Int32(exactly: $0) }
    return clinux_set_processors(numbers, Int32(clamping: numbers.count)) == 0
  }
}
