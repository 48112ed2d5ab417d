/// What the person at the terminal sees: lines that stay, and on a terminal one line that says how far the run is.
public final class Console {
  private let output: (String) -> Void
  private let showProgress: ((String?) -> Void)?
  public let hasColor: Bool
  public let isQuiet: Bool

  /// `output` takes whole lines without their line feed; `progress` takes the line to show in place of the last, or nil
  /// to take it away.
  public init(
    output: @escaping (String) -> Void, progress: ((String?) -> Void)? = nil, hasColor: Bool = false,
    isQuiet: Bool = false
  ) {
    self.output = output
    self.showProgress = progress
    self.hasColor = hasColor
    self.isQuiet = isQuiet
  }

  /// A line of the report that `--quiet` leaves out.
  public func detail(_ line: String) {
    if !isQuiet { put(line) }
  }

  /// A line that is always shown.
  public func result(_ line: String) { put(line) }

  public func heading(_ line: String) { detail(styled(line, "1")) }

  public func progress(_ text: String?) {
    if !isQuiet { showProgress?(text) }
  }

  /// `code` is an SGR number of ECMA-48.
  public func styled(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// The same, of which nothing stays: only how far it is shows.
  public var silent: Console { Console(output: { _ in }, progress: isQuiet ? nil : showProgress) }

  private func put(_ line: String) {
    showProgress?(nil)
    output(line)
  }
}
