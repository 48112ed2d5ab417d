/// A way to a GL context without a screen.
public enum DisplayKind: String, Sendable, Hashable, CaseIterable {
  /// A buffer manager on a render node of the kernel's (`/dev/dri/renderD128` and up).
  case gbm
  /// A device that the EGL library itself lists.
  case device
  /// Mesa's platform of no platform, which may be a software renderer.
  case surfaceless
}

/// Which display to open: one kind, or the first that works.
public enum DisplayChoice: Sendable, Hashable, CustomStringConvertible {
  case automatic
  case only(DisplayKind)

  public static let gbm = DisplayChoice.only(.gbm)
  public static let device = DisplayChoice.only(.device)
  public static let surfaceless = DisplayChoice.only(.surfaceless)

  /// Reads `automatic`, `gbm`, `device` or `surfaceless`; nil for any other text.
  public init?(_ text: String) {
    if text == "automatic" {
      self = .automatic
    } else if let kind = DisplayKind(rawValue: text) {
      self = .only(kind)
    } else {
      return nil
    }
  }

  /// The kinds to try, in order.
  public var kinds: [DisplayKind] {
    switch self {
    case .automatic: [.gbm, .device, .surfaceless]
    case .only(let kind): [kind]
    }
  }

  public var description: String {
    switch self {
    case .automatic: "automatic"
    case .only(let kind): kind.rawValue
    }
  }
}

/// One display that was tried on the way to a device.
public struct DisplayAttempt: Sendable, Hashable, CustomStringConvertible {
  public let kind: DisplayKind
  /// Which one of its kind: a render node's path, a device's number; empty where there is only one.
  public let detail: String
  /// Why it was not taken; nil for the one that was.
  public let refusal: String?

  public var description: String {
    "\(kind.rawValue)\(detail.isEmpty ? "" : " \(detail)"): \(refusal ?? "taken")"
  }
}
