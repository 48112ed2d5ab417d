import Commit

/// A property's value that is one of a few, with the number that the protocol has for each.
protocol WireChoice: CaseIterable, Equatable {
  var wireNumber: UInt32 { get }
}

extension WireChoice {
  init?(wireNumber: UInt32) {
    guard let value = Self.allCases.first(where: { $0.wireNumber == wireNumber }) else { return nil }
    self = value
  }
}

extension ContentsGravity: WireChoice {
  var wireNumber: UInt32 {
    switch self {
    case .resize: 0
    case .resizeAspect: 1
    case .resizeAspectFill: 2
    case .center: 3
    case .top: 4
    case .bottom: 5
    case .left: 6
    case .right: 7
    case .topLeft: 8
    case .topRight: 9
    case .bottomLeft: 10
    case .bottomRight: 11
    }
  }
}

extension MagnificationFilter: WireChoice {
  var wireNumber: UInt32 {
    switch self {
    case .linear: 0
    case .nearest: 1
    }
  }
}

extension MinificationFilter: WireChoice {
  var wireNumber: UInt32 {
    switch self {
    case .linear: 0
    case .nearest: 1
    case .trilinear: 2
    }
  }
}

extension GradientType: WireChoice {
  var wireNumber: UInt32 {
    switch self {
    case .axial: 0
    case .radial: 1
    case .conic: 2
    }
  }
}

extension PortalSampling: WireChoice {
  var wireNumber: UInt32 {
    switch self {
    case .automatic: 0
    case .nearest: 1
    case .linear: 2
    }
  }
}

extension SourceLifetime: WireChoice {
  var wireNumber: UInt32 {
    switch self {
    case .weak: 0
    case .retained: 1
    }
  }
}

extension Lens.Subject: WireChoice {
  var wireNumber: UInt32 {
    switch self {
    case .backdrop: 0
    case .content: 1
    }
  }
}

extension BlendMode: WireChoice {
  var wireNumber: UInt32 {
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
}

extension Filter {
  /// Of its kind.
  var wireNumber: UInt32 {
    switch self {
    case .gaussianBlur: 0
    case .brightness: 1
    case .contrast: 2
    case .saturate: 3
    case .grayscale: 4
    case .invert: 5
    case .sepia: 6
    case .hueRotate: 7
    case .opacity: 8
    case .colorMatrix: 9
    }
  }

  /// How many numbers of a record it takes, with that of its kind.
  var wireCount: Int {
    if case .colorMatrix = self { return 21 }
    return 2
  }
}
