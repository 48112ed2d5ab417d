import Commit

extension BlendMode {
  /// What the blending shader knows the mode by.
  public var shaderNumber: Float {
    switch self {
    case .normal: 0
    case .multiply: 1
    case .screen: 2
    case .overlay: 3
    case .darken: 4
    case .lighten: 5
    case .colorDodge: 6
    case .colorBurn: 7
    case .hardLight: 8
    case .softLight: 9
    case .difference: 10
    case .exclusion: 11
    case .hue: 12
    case .saturation: 13
    case .color: 14
    case .luminosity: 15
    case .plusLighter: 16
    case .plusDarker: 17
    }
  }

  /// What blends in this way without a look at what is behind; nil where that takes a look.
  var blending: Blending? {
    switch self {
    case .normal: .over
    case .plusLighter: .add
    case .screen: .screen
    default: nil
    }
  }
}
