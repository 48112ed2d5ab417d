/// Which property of a layer, or which part of one, an animation moves: Core Animation's key paths, such as
/// `transform.rotation.z` or `bounds.size`, as a value.
public struct AnimationKeyPath: Sendable, Hashable, CustomStringConvertible {
  /// The raw values are the protocol's.
  public enum Property: UInt8, Sendable, CaseIterable {
    case bounds = 0
    case position
    case zPosition
    case anchorPoint
    case anchorPointZ
    case transform
    case sublayerTransform
    case isHidden
    case opacity
    case backgroundColor
    case cornerRadius
    case borderWidth
    case borderColor
    case contentsRect
    case contentsScale
    case shadowColor
    case shadowOpacity
    case shadowRadius
    case shadowOffset
    /// The radius, amount or degrees of one of the filters.
    case filter
    case gradientStart
    case gradientEnd
    case gradientColors
    case gradientLocations
    case sourceLayerOpacityScale
    case sourceRect
    /// As `filter`, of those on what lies behind a backdrop.
    case backdropFilter
  }

  /// The raw values are the protocol's.
  public enum Part: UInt8, Sendable, CaseIterable {
    case whole = 0
    case x, y
    case origin, originX, originY, size, width, height
    case translation, translationX, translationY, translationZ
    case scale, scaleX, scaleY, scaleZ
    case rotationX, rotationY, rotationZ
  }

  public let property: Property
  public let part: Part
  /// Of the filter in its list, from 0; 0 for other properties.
  public let index: Int

  /// Nil for a part that the property does not have, and an index that is negative, more than 255 or not a filter's.
  public init?(_ property: Property, _ part: Part = .whole, index: Int = 0) {
    guard part == .whole || property.parts.contains(part), property.isListed ? 0...255 ~= index : index == 0 else {
      return nil
    }
    self.property = property
    self.part = part
    self.index = index
  }

  /// A property as a whole.
  public init(whole property: Property) {
    self.property = property
    part = .whole
    index = 0
  }

  /// What a value of it is.
  public var kind: AnimationValue.Kind {
    switch part {
    case .whole: property.kind
    case .origin, .translation: .point
    case .size: .size
    default: .number
    }
  }

  // MARK: Text

  /// Nil for what is no key path. `transform.rotation` is about z.
  public init?(_ text: String) {
    for property in [Property.filter, .backdropFilter] where text.hasPrefix(property.name + ".") {
      let words = text.split(separator: ".", omittingEmptySubsequences: false)
      guard words.count == 3, words[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let index = Int(words[1]),
        ["amount", "radius", "degrees"].contains(words[2])
      else { return nil }
      self.init(property, index: index)
      return
    }
    for property in Property.allCases where !property.isListed && text.hasPrefix(property.name) {
      if text == property.name {
        self.init(whole: property)
        return
      }
      let rest = text.dropFirst(property.name.count)
      guard rest.first == "." else { continue }
      let name = rest.dropFirst() == "rotation" ? "rotation.z" : String(rest.dropFirst())
      guard let part = property.parts.first(where: { $0.name == name }) else { continue }
      self.init(property, part)
      return
    }
    return nil
  }

  public var description: String {
    if property.isListed { return "\(property.name).\(index).amount" }
    return part == .whole ? property.name : "\(property.name).\(part.name)"
  }
}

extension AnimationKeyPath.Property {
  /// As an application writes it; for a filter, that of the list.
  public var name: String {
    switch self {
    case .shadowColor: "shadow.color"
    case .shadowOpacity: "shadow.opacity"
    case .shadowRadius: "shadow.radius"
    case .shadowOffset: "shadow.offset"
    case .filter: "filters"
    case .backdropFilter: "backdropFilters"
    case .gradientStart: "gradient.start"
    case .gradientEnd: "gradient.end"
    case .gradientColors: "gradient.colors"
    case .gradientLocations: "gradient.locations"
    default: "\(self)"
    }
  }

  public var kind: AnimationValue.Kind {
    switch self {
    case .bounds, .contentsRect, .sourceRect: .rect
    case .position, .anchorPoint, .shadowOffset, .gradientStart, .gradientEnd: .point
    case .transform, .sublayerTransform: .transform
    case .isHidden: .flag
    case .backgroundColor, .borderColor, .shadowColor: .color
    case .gradientColors: .colors
    case .gradientLocations: .numbers
    case .zPosition, .anchorPointZ, .opacity, .cornerRadius, .borderWidth, .contentsScale, .shadowOpacity,
      .shadowRadius, .filter, .backdropFilter, .sourceLayerOpacityScale:
      .number
    }
  }

  /// The parts that can be animated by themselves.
  public var parts: [AnimationKeyPath.Part] {
    switch kind {
    case .point: [.x, .y]
    case .rect: [.origin, .originX, .originY, .size, .width, .height]
    case .transform:
      [
        .translation, .translationX, .translationY, .translationZ, .scale, .scaleX, .scaleY, .scaleZ, .rotationX,
        .rotationY, .rotationZ,
      ]
    default: []
    }
  }

  /// One of a list.
  var isListed: Bool { self == .filter || self == .backdropFilter }

  /// Only a portal has it.
  public var isPortalOnly: Bool { self == .sourceLayerOpacityScale || self == .sourceRect }
}

extension AnimationKeyPath.Part {
  /// As it follows the property's name; empty for the whole.
  public var name: String {
    switch self {
    case .whole: ""
    case .x: "x"
    case .y: "y"
    case .origin: "origin"
    case .originX: "origin.x"
    case .originY: "origin.y"
    case .size: "size"
    case .width: "size.width"
    case .height: "size.height"
    case .translation: "translation"
    case .translationX: "translation.x"
    case .translationY: "translation.y"
    case .translationZ: "translation.z"
    case .scale: "scale"
    case .scaleX: "scale.x"
    case .scaleY: "scale.y"
    case .scaleZ: "scale.z"
    case .rotationX: "rotation.x"
    case .rotationY: "rotation.y"
    case .rotationZ: "rotation.z"
    }
  }
}
