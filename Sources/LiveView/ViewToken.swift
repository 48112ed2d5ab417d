/// The secret in a view's address: whoever has it may look and touch.
struct ViewToken: Sendable {
  let text: String

  /// 128 bits from the system's random numbers (`getrandom`), in hexadecimal digits.
  static func random() -> ViewToken {
    var system = SystemRandomNumberGenerator()
    var text = ""
    for _ in 0..<16 {
      let byte = UInt8.random(in: .min ... .max, using: &system)
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return ViewToken(unchecked: text)
  }

  private init(unchecked text: String) { self.text = text }

  /// One that somebody has chosen: 20 to 128 letters, digits, `-` and `_`. Nil for anything else.
  init?(_ text: String) {
    let bytes = text.utf8
    guard (20...128).contains(bytes.count),
      bytes.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      })
    else { return nil }
    self.text = text
  }

  /// Takes as long for a guess that is nearly right as for one that is not.
  func equals(_ guess: some Collection<UInt8>) -> Bool {
    let own = Array(text.utf8)
    let guess = Array(guess)
    var difference = UInt64(bitPattern: Int64(own.count ^ guess.count))
    for index in own.indices { difference |= UInt64(own[index] ^ (index < guess.count ? guess[index] : 0)) }
    return difference == 0
  }
}
