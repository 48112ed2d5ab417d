import Geometry

/// A value that a property has at a point of an animation.
public enum AnimationValue: Sendable, Hashable {
  case number(Double)
  case point(Point)
  case size(Size)
  case rect(Rect)
  /// Mixed premultiplied.
  case color(Color)
  /// Mixed by what it is made of: translation, scale, skew, rotation, perspective.
  case transform(Transform3D)
  /// Changes over at the half.
  case flag(Bool)
  case numbers([Double])
  case colors([Color])

  public enum Kind: UInt8, Sendable, CaseIterable {
    case number, point, size, rect, color, transform, flag, numbers, colors
  }

  public var kind: Kind {
    switch self {
    case .number: .number
    case .point: .point
    case .size: .size
    case .rect: .rect
    case .color: .color
    case .transform: .transform
    case .flag: .flag
    case .numbers: .numbers
    case .colors: .colors
    }
  }

  /// What it is made of: x before y, origin before size, red, green, blue and alpha as straight colour, m11 to m44.
  public var numbers: [Double] {
    switch self {
    case .number(let value): [value]
    case .point(let value): [value.x, value.y]
    case .size(let value): [value.width, value.height]
    case .rect(let value): [value.x, value.y, value.width, value.height]
    case .color(let value): value.numbers
    case .transform(let value): value.elements
    case .flag(let value): [value ? 1 : 0]
    case .numbers(let values): values
    case .colors(let values): values.flatMap(\.numbers)
    }
  }

  /// The reverse of `numbers`; nil for a wrong count.
  public init?(_ kind: Kind, _ n: [Double]) {
    if let count = kind.count { guard n.count == count else { return nil } }
    switch kind {
    case .number: self = .number(n[0])
    case .point: self = .point(Point(n[0], n[1]))
    case .size: self = .size(Size(width: n[0], height: n[1]))
    case .rect: self = .rect(Rect(x: n[0], y: n[1], width: n[2], height: n[3]))
    case .color: self = .color(Color(n[...]))
    case .transform:
      guard let transform = Transform3D(n) else { return nil }
      self = .transform(transform)
    case .flag: self = .flag(n[0] >= 0.5)
    case .numbers: self = .numbers(n)
    case .colors:
      guard n.count % 4 == 0 else { return nil }
      self = .colors(stride(from: 0, to: n.count, by: 4).map { Color(n[$0..<($0 + 4)]) })
    }
  }
}

extension AnimationValue.Kind {
  /// How many numbers a value has; nil for lists.
  public var count: Int? {
    switch self {
    case .number, .flag: 1
    case .point, .size: 2
    case .rect, .color: 4
    case .transform: 16
    case .numbers, .colors: nil
    }
  }

  /// For an error: "a point".
  public var words: String {
    switch self {
    case .number: "a number"
    case .point: "a point, [x, y]"
    case .size: "a size, [width, height]"
    case .rect: "a rectangle, [x, y, width, height]"
    case .color: "a colour"
    case .transform: "a transform, 16 numbers"
    case .flag: "true or false"
    case .numbers: "a list of numbers"
    case .colors: "a list of colours"
    }
  }
}

extension Color {
  fileprivate var numbers: [Double] { [Double(red), Double(green), Double(blue), Double(alpha)] }

  fileprivate init(_ n: ArraySlice<Double>) {
    let first = n.startIndex
    self.init(
      red: Float(n[first]), green: Float(n[first + 1]), blue: Float(n[first + 2]), alpha: Float(n[first + 3]))
  }
}
