/// Looks for the first of some things in a row that is bad, where the last is and what comes before the first is not.
public struct Bisection {
  public enum Judgement: Sendable, Hashable {
    case good, bad
    /// It can't be told.
    case unclear
  }

  /// What is left of the row: one thing, or several between which nothing can be told. `judge` is asked of each thing at
  /// most once.
  public static func firstBad<Failure: Error>(
    of count: Int, judge: (Int) throws(Failure) -> Judgement
  ) throws(Failure) -> Range<Int> {
    var (good, bad) = (-1, count - 1)
    var unclear: Set<Int> = []
    while bad - good > 1 {
      // The one in the middle that has not been tried in vain.
      let middle = Double(good + bad) / 2
      let open = (good + 1..<bad).filter { !unclear.contains($0) }
      guard let next = open.min(by: { (Double($0) - middle).magnitude < (Double($1) - middle).magnitude }) else {
        break
      }
      switch try judge(next) {
      case .good: good = next
      case .bad: bad = next
      case .unclear: unclear.insert(next)
      }
    }
    return good + 1..<max(good + 1, bad + 1)
  }
}
