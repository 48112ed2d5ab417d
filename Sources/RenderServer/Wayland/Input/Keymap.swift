import CXKBCommon
import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A keyboard's layout and the state of its keys, by xkbcommon: which modifiers count, and which keys make a character.
final class Keymap {
  private let context: OpaquePointer
  private let keymap: OpaquePointer
  private let state: OpaquePointer
  /// The layout as clients get it, with its closing zero.
  let text: [CChar]

  /// Modifiers as the protocol has them.
  struct Modifiers: Hashable {
    var depressed: UInt32
    var latched: UInt32
    var locked: UInt32
    var group: UInt32
  }

  /// The system's own layout: by `XKB_DEFAULT_LAYOUT` and its like, or that of the United States.
  /// - Throws: where xkbcommon finds no layouts.
  init() throws(ServerError) {
    guard let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS) else {
      throw ServerError(.system, "xkb_context_new failed")
    }
    guard let keymap = xkb_keymap_new_from_names(context, nil, XKB_KEYMAP_COMPILE_NO_FLAGS) else {
      xkb_context_unref(context)
      throw ServerError(.system, "there is no keyboard layout; install xkb-data, or look at XKB_DEFAULT_LAYOUT")
    }
    guard let state = xkb_state_new(keymap), let text = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1)
    else {
      xkb_keymap_unref(keymap)
      xkb_context_unref(context)
      throw ServerError(.system, "xkb_state_new failed")
    }
    (self.context, self.keymap, self.state) = (context, keymap, state)
    self.text = Array(UnsafeBufferPointer(start: text, count: strlen(text) + 1))
    free(text)
  }

  deinit {
    xkb_state_unref(state)
    xkb_keymap_unref(keymap)
    xkb_context_unref(context)
  }

  /// A key was pressed or let go of.
  /// - Parameter key: as Linux numbers keys (`KEY_A` …), eight less than X does.
  func update(key: UInt32, isDown: Bool) {
    xkb_state_update_key(state, key &+ 8, isDown ? XKB_KEY_DOWN : XKB_KEY_UP)
  }

  var modifiers: Modifiers {
    Modifiers(
      depressed: xkb_state_serialize_mods(state, XKB_STATE_MODS_DEPRESSED),
      latched: xkb_state_serialize_mods(state, XKB_STATE_MODS_LATCHED),
      locked: xkb_state_serialize_mods(state, XKB_STATE_MODS_LOCKED),
      group: xkb_state_serialize_layout(state, XKB_STATE_LAYOUT_EFFECTIVE))
  }

  /// The keys that make a character, those held down first and the one struck last; nil for what this layout can't make.
  func keys(for character: Unicode.Scalar) -> [UInt32]? {
    let wanted =
      character == "\n" ? xkb_keysym_from_name("Return", XKB_KEYSYM_NO_FLAGS) : xkb_utf32_to_keysym(character.value)
    guard wanted != XKB_KEY_NoSymbol else { return nil }
    return keys(symbol: wanted)
  }

  /// The keys that make a symbol by its name, such as `Return`, `Left`, `F1`, `a`; nil for none of this layout.
  func keys(named name: String) -> [UInt32]? {
    let wanted = xkb_keysym_from_name(name, XKB_KEYSYM_CASE_INSENSITIVE)
    guard wanted != XKB_KEY_NoSymbol else { return nil }
    return keys(symbol: wanted)
  }

  private func keys(symbol wanted: xkb_keysym_t) -> [UInt32]? {
    let shift = key(named: "LFSH")
    for key in xkb_keymap_min_keycode(keymap)...xkb_keymap_max_keycode(keymap) where key >= 8 {
      for level in 0..<min(2, xkb_keymap_num_levels_for_key(keymap, key, 0)) {
        var symbols: UnsafePointer<xkb_keysym_t>?
        guard xkb_keymap_key_get_syms_by_level(keymap, key, 0, level, &symbols) == 1, symbols?.pointee == wanted else {
          continue
        }
        if level == 0 { return [key - 8] }
        if let shift { return [shift, key - 8] }
      }
    }
    return nil
  }

  private func key(named name: String) -> UInt32? {
    let key = xkb_keymap_key_by_name(keymap, name)
    return key == UInt32.max || key < 8 ? nil : key - 8
  }
}
