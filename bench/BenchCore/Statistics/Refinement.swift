/// Which further N are worth measuring, once a few were.
public enum Refinement {
  /// Two at most: between the likeliest place of a bend and its neighbours, in the middle by ratio. Empty where there is no
  /// room between them.
  public static func counts(_ rounds: [(n: Int, costs: [Double])]) -> [Int] {
    guard let bend = Knee.likeliest(rounds) else { return [] }
    let known = Set(rounds.map(\.n)).sorted()
    guard let place = known.firstIndex(of: bend), place > 0, place + 1 < known.count else { return [] }
    let between = [(known[place - 1], bend), (bend, known[place + 1])].map { low, high in
      Int((Double(low).squareRoot() * Double(high).squareRoot()).rounded())
    }
    return between.filter { $0 > 0 && !known.contains($0) }
  }
}
