/// Which further N are worth measuring, once a few were.
public enum Refinement {
  /// Two at most: between the likeliest place of a bend and its neighbours, in the middle by ratio, or near to it where `fits`
  /// says that a frame is made like its neighbours'. Empty where there is no room between them.
  public static func counts(
    _ rounds: [(n: Int, costs: [Double])], fits: (Int) -> Bool = { _ in true }
  ) -> [Int] {
    guard let bend = Knee.likeliest(rounds) else { return [] }
    let known = Set(rounds.map(\.n)).sorted()
    guard let place = known.firstIndex(of: bend), place > 0, place + 1 < known.count else { return [] }
    let between = [(known[place - 1], bend), (bend, known[place + 1])].map { low, high in
      middle(low, high, fits)
    }
    return between.filter { $0 > 0 && !known.contains($0) }
  }

  private static func middle(_ low: Int, _ high: Int, _ fits: (Int) -> Bool) -> Int {
    let middle = Int((Double(low).squareRoot() * Double(high).squareRoot()).rounded())
    // Within the half in the middle, by ratio: nearer to an end, a point tells little.
    var distance = 0
    while middle - distance > low + (middle - low) / 3, middle + distance < high - (high - middle) / 3 {
      for n in [middle - distance, middle + distance] where fits(n) { return n }
      distance += 1
    }
    return middle
  }
}
