import Geometry
import LiveView

/// What one viewer holds down, so that nothing stays down when it goes.
final class ViewHand {
  private let viewer: UInt64
  private var buttons: Set<UInt32> = []
  /// By the key that the viewer pressed: that which was pressed for it here.
  private var keys: [UInt32: UInt32] = [:]
  private var fingers: Set<Int32> = []

  init(_ viewer: UInt64) { self.viewer = viewer }

  func act(_ input: ViewInput, on output: OutputObject?, _ seat: Seat) {
    switch input {
    case .move(let point):
      if let output { seat.movePointer(to: point, on: output) }
    case .button(let code, let isDown):
      guard isDown ? buttons.insert(code).inserted : buttons.remove(code) != nil else { return }
      seat.press(code, isDown: isDown)
    case .scroll(let distance): seat.scroll(distance)
    case .key(let code, let isDown, let text):
      if isDown { press(code, text, seat) } else { release(code, seat) }
    case .text(let text): _ = seat.type(text)
    case .touch(let finger, let touch): self.touch(finger, touch, output, seat)
    }
  }

  /// Lets go of everything.
  func letGo(_ seat: Seat) {
    for code in buttons { seat.press(code, isDown: false) }
    for key in keys.values { seat.press(key: key, isDown: false) }
    for finger in fingers { seat.touchUp(finger) }
    (buttons, keys, fingers) = ([], [:], [])
  }

  /// The viewer's keyboard may have another layout than the server's: a key that makes a character presses the one that makes
  /// it here, with Shift or without.
  private func press(_ code: UInt32, _ text: String?, _ seat: Seat) {
    guard keys[code] == nil, keys.count < 32 else { return }
    guard let character = text?.unicodeScalars.first, text?.unicodeScalars.count == 1,
      let wanted = seat.keyboard.keymap.keys(for: character), let key = wanted.last
    else {
      keys[code] = code
      return seat.press(key: code, isDown: true)
    }
    guard !keys.values.contains(key) else { return }
    keys[code] = key
    let shifts = Set(keys.values).intersection(Self.shiftKeys)
    if wanted.count > 1, shifts.isEmpty {
      let shift = wanted[0]
      seat.press(key: shift, isDown: true)
      seat.press(key: key, isDown: true)
      seat.press(key: shift, isDown: false)
    } else if wanted.count == 1, !shifts.isEmpty {
      for shift in shifts { seat.press(key: shift, isDown: false) }
      seat.press(key: key, isDown: true)
      for shift in shifts { seat.press(key: shift, isDown: true) }
    } else {
      seat.press(key: key, isDown: true)
    }
  }

  /// `KEY_LEFTSHIFT`, `KEY_RIGHTSHIFT`.
  private static let shiftKeys: Set<UInt32> = [42, 54]

  private func release(_ code: UInt32, _ seat: Seat) {
    guard let key = keys.removeValue(forKey: code) else { return }
    seat.press(key: key, isDown: false)
  }

  private func touch(_ finger: Int32, _ touch: ViewInput.Touch, _ output: OutputObject?, _ seat: Seat) {
    // Fingers of several viewers are several fingers.
    let number = Int32(truncatingIfNeeded: viewer & 0xFFFF) &* 16 &+ finger
    switch touch {
    case .down(let point):
      guard let output, fingers.insert(number).inserted else { return }
      seat.touchDown(number, at: point, on: output)
    case .moved(let point):
      if let output, fingers.contains(number) { seat.touchMove(number, to: point, on: output) }
    case .up:
      if fingers.remove(number) != nil { seat.touchUp(number) }
    }
  }
}
