import Geometry

/// A stretch of text, and how it differs from the text around it: nil is no difference.
public struct TextRun: Sendable, Hashable {
  public var string: String
  public var color: Color?
  /// As fontconfig knows it: a font's own, or `sans-serif`, `serif`, `monospace`.
  public var fontFamily: String?
  /// In points: of the letter's square.
  public var fontSize: Double?
  /// From 100 to 1000; 400 is regular, 700 bold.
  public var fontWeight: Int?
  public var isItalic: Bool?
  public var isUnderlined = false

  public init(
    _ string: String, color: Color? = nil, fontFamily: String? = nil, fontSize: Double? = nil, fontWeight: Int? = nil,
    isItalic: Bool? = nil, isUnderlined: Bool = false
  ) {
    self.string = string
    self.color = color
    self.fontFamily = fontFamily
    self.fontSize = fontSize
    self.fontWeight = fontWeight
    self.isItalic = isItalic
    self.isUnderlined = isUnderlined
  }
}

/// On which side lines are even (`CATextLayerAlignmentMode`).
public enum TextAlignment: String, Sendable, CaseIterable {
  /// Where the script begins.
  case natural
  case left, right, center
  /// On both, but for the last line of a paragraph.
  case justified
}

/// What is left out, for an ellipsis, of text that does not fit (`CATextLayerTruncationMode`).
public enum TextTruncation: String, Sendable, CaseIterable {
  /// Nothing: it is cut off at the edge.
  case none
  case start, middle, end
}

/// How text is set.
public struct TextStyle: Sendable, Hashable {
  public var color = Color.white
  public var fontFamily = "sans-serif"
  public var fontSize = 36.0
  public var fontWeight = 400
  public var isItalic = false
  public var alignment = TextAlignment.natural
  /// Lines that are too long are broken between words, or inside of one that is too long by itself.
  public var isWrapped = false
  public var truncation = TextTruncation.none

  public init() {}
}

/// How much room text takes. In points, from the top left of the rectangle that it was set in.
public struct TextMetrics: Sendable, Hashable {
  /// Of all lines, with the space that letters are given.
  public var size: Size
  /// What is dyed; empty for blanks.
  public var inkBounds: Rect
  /// Of the first line.
  public var firstBaseline: Double
  public var lineCount: Int
  /// Something was left out for an ellipsis.
  public var isTruncated: Bool
}
