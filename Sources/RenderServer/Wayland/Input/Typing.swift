/// Keys by what they make, for those who have no keyboard.
extension Seat {
  /// Strikes the keys that make a text.
  /// - Returns: the first character that the layout has no keys for; what comes before it was struck.
  func type(_ text: String) -> Unicode.Scalar? {
    for character in text.unicodeScalars {
      guard let keys = keyboard.keymap.keys(for: character) else { return character }
      strike(keys)
    }
    return nil
  }

  /// Strikes keys by their names, with + between.
  /// - Returns: the first name that the layout has no key for, in which case nothing was struck; nil for none.
  func strike(named names: String) -> String? {
    var keys: [UInt32] = []
    for name in names.split(separator: "+").map(String.init) {
      guard let found = keyboard.keymap.keys(named: name) else { return name }
      keys += found.filter { !keys.contains($0) }
    }
    strike(keys)
    return nil
  }

  /// Presses keys in order and lets go of them in the opposite one.
  func strike(_ keys: [UInt32]) {
    for key in keys { press(key: key, isDown: true) }
    for key in keys.reversed() { press(key: key, isDown: false) }
  }
}
