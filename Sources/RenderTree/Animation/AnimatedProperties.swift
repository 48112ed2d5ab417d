import Commit
import Geometry

// The numbers of what animations can move, as the records hold them: colours premultiplied.

extension RenderTree {
  /// Appends the property's numbers; none for what the layer does not have.
  func load(_ property: AnimationKeyPath.Property, _ index: Int, of slot: Int32, into numbers: inout [Double]) {
    let s = Int(slot)
    switch property {
    case .bounds: append(records[s].bounds, to: &numbers)
    case .position: append(records[s].position, to: &numbers)
    case .zPosition: numbers.append(records[s].zPosition)
    case .anchorPoint: append(records[s].anchorPoint, to: &numbers)
    case .anchorPointZ: numbers.append(records[s].anchorPointZ)
    case .transform: records[s].transform.append(to: &numbers)
    case .sublayerTransform: records[s].sublayerTransform.append(to: &numbers)
    case .isHidden: numbers.append(records[s].isHidden ? 1 : 0)
    case .opacity: numbers.append(Double(records[s].opacity))
    case .backgroundColor: append(records[s].backgroundColor, to: &numbers)
    case .cornerRadius: numbers.append(records[s].cornerRadius)
    case .borderWidth: numbers.append(records[s].borderWidth)
    case .borderColor: append(records[s].borderColor, to: &numbers)
    case .contentsRect: append(records[s].contentsRect, to: &numbers)
    case .contentsScale: numbers.append(records[s].contentsScale)
    case .shadowColor: append(shadow(of: slot).color.premultiplied, to: &numbers)
    case .shadowOpacity: numbers.append(Double(shadow(of: slot).opacity))
    case .shadowRadius: numbers.append(shadow(of: slot).radius)
    case .shadowOffset: append(shadow(of: slot).offset, to: &numbers)
    case .filter:
      if let amount = effects[slot]?.filters.amount(index) { numbers.append(amount) }
    case .backdropFilter:
      if let amount = effects[slot]?.backdropFilters.amount(index) { numbers.append(amount) }
    case .gradientStart: if let gradient = gradients[s] { append(gradient.start, to: &numbers) }
    case .gradientEnd: if let gradient = gradients[s] { append(gradient.end, to: &numbers) }
    case .gradientColors:
      if let gradient = gradients[s] { for stop in gradient.stops { append(stop.color.premultiplied, to: &numbers) } }
    case .gradientLocations:
      if let gradient = gradients[s] { for stop in gradient.stops { numbers.append(stop.location) } }
    case .sourceLayerOpacityScale:
      if let portal = portalRecord(at: slot) { numbers.append(Double(portal.sourceLayerOpacityScale)) }
    case .sourceRect: if let rect = portalRecord(at: slot)?.sourceRect { append(rect, to: &numbers) }
    }
  }

  /// Puts what can be drawn of these numbers in the place of the property's: a spring may swing over.
  /// - Returns: Whether that changed anything.
  mutating func store(
    _ n: [Double], in property: AnimationKeyPath.Property, _ index: Int, of slot: Int32
  ) -> Bool {
    let s = Int(slot)
    switch property {
    case .bounds: return replace(&records[s].bounds, Rect(x: n[0], y: n[1], width: max(0, n[2]), height: max(0, n[3])))
    case .position: return replace(&records[s].position, Point(n[0], n[1]))
    case .zPosition: return replace(&records[s].zPosition, n[0])
    case .anchorPoint: return replace(&records[s].anchorPoint, Point(n[0], n[1]))
    case .anchorPointZ: return replace(&records[s].anchorPointZ, n[0])
    case .transform: return replace(&records[s].transform, Transform3D(numbers: n, at: 0))
    case .sublayerTransform:
      let transform = Transform3D(numbers: n, at: 0)
      records[s].hasSublayerTransform = !transform.isIdentity
      return replace(&records[s].sublayerTransform, transform)
    case .isHidden: return replace(&records[s].isHidden, n[0] >= 0.5)
    case .opacity: return replace(&records[s].opacity, min(1, max(0, Float(n[0]))))
    case .backgroundColor: return replace(&records[s].backgroundColor, PremultipliedColor(numbers: n, at: 0).inRange)
    case .cornerRadius: return replace(&records[s].cornerRadius, max(0, n[0]))
    case .borderWidth: return replace(&records[s].borderWidth, max(0, n[0]))
    case .borderColor: return replace(&records[s].borderColor, PremultipliedColor(numbers: n, at: 0).inRange)
    case .contentsRect:
      return replace(&records[s].contentsRect, Rect(x: n[0], y: n[1], width: n[2], height: n[3]))
    case .contentsScale: return replace(&records[s].contentsScale, max(1e-6, n[0]))
    case .shadowColor, .shadowOpacity, .shadowRadius, .shadowOffset, .filter, .backdropFilter:
      return storeEffect(n, in: property, index, of: slot)
    case .gradientStart, .gradientEnd, .gradientColors, .gradientLocations:
      return storeGradient(n, in: property, of: s)
    case .sourceLayerOpacityScale:
      let portal = Int(records[s].portal)
      return portal >= 0 && replace(&portals[portal].sourceLayerOpacityScale, Float(min(1e6, max(0, n[0]))))
    case .sourceRect:
      let portal = Int(records[s].portal)
      let rect = Rect(x: n[0], y: n[1], width: max(0, n[2]), height: max(0, n[3]))
      return portal >= 0 && replace(&portals[portal].sourceRect, rect)
    }
  }

  /// Puts the layer's own value back, which may be one that no animation gives.
  mutating func restore(_ n: [Double], in property: AnimationKeyPath.Property, of slot: Int32) {
    let s = Int(slot)
    switch property {
    case .backgroundColor: records[s].backgroundColor = PremultipliedColor(numbers: n, at: 0)
    case .borderColor: records[s].borderColor = PremultipliedColor(numbers: n, at: 0)
    case .sourceLayerOpacityScale:
      if records[s].portal >= 0 { portals[Int(records[s].portal)].sourceLayerOpacityScale = Float(n[0]) }
    default: _ = store(n, in: property, 0, of: slot)
    }
  }

  private mutating func storeEffect(
    _ n: [Double], in property: AnimationKeyPath.Property, _ index: Int, of slot: Int32
  ) -> Bool {
    var isChanged: Bool
    switch property {
    case .filter: isChanged = effects[slot]?.filters.setAmount(index, n[0]) ?? false
    case .backdropFilter: isChanged = effects[slot]?.backdropFilters.setAmount(index, n[0]) ?? false
    default:
      var shadow = shadow(of: slot)
      switch property {
      case .shadowColor: isChanged = replace(&shadow.color, PremultipliedColor(numbers: n, at: 0).inRange.straight)
      case .shadowOpacity: isChanged = replace(&shadow.opacity, Float(min(1, max(0, n[0]))))
      case .shadowRadius: isChanged = replace(&shadow.radius, max(0, n[0]))
      default: isChanged = replace(&shadow.offset, Point(n[0], n[1]))
      }
      if isChanged { effects[slot, default: LayerEffects()].shadow = shadow }
    }
    if isChanged { noteEffects(of: slot) }
    return isChanged
  }

  private mutating func storeGradient(_ n: [Double], in property: AnimationKeyPath.Property, of s: Int) -> Bool {
    guard var gradient = gradients[s] else { return false }
    gradients[s] = nil
    defer { gradients[s] = gradient }
    switch property {
    case .gradientStart: return replace(&gradient.start, Point(n[0], n[1]))
    case .gradientEnd: return replace(&gradient.end, Point(n[0], n[1]))
    case .gradientColors:
      var isChanged = false
      for stop in gradient.stops.indices where 4 * stop + 3 < n.count {
        let color = PremultipliedColor(numbers: n, at: 4 * stop).inRange.straight
        if replace(&gradient.stops[stop].color, color) { isChanged = true }
      }
      return isChanged
    default:
      let before = gradient.stops
      for stop in gradient.stops.indices where stop < n.count { gradient.stops[stop].location = n[stop] }
      gradient.settleLocations()
      return gradient.stops != before
    }
  }

  /// A layer without a shadow has one that does not show.
  private func shadow(of slot: Int32) -> Shadow { effects[slot]?.shadow ?? Shadow(opacity: 0) }

  func portalRecord(at slot: Int32) -> PortalRecord? {
    let index = records[Int(slot)].portal
    return index >= 0 ? portals[Int(index)] : nil
  }
}

private func replace<Value: Equatable>(_ old: inout Value, _ new: Value) -> Bool {
  if old == new { return false }
  old = new
  return true
}

private func append(_ point: Point, to numbers: inout [Double]) {
  numbers.append(point.x)
  numbers.append(point.y)
}

private func append(_ rect: Rect, to numbers: inout [Double]) {
  numbers.append(rect.x)
  numbers.append(rect.y)
  numbers.append(rect.width)
  numbers.append(rect.height)
}

private func append(_ color: PremultipliedColor, to numbers: inout [Double]) {
  numbers.append(Double(color.red))
  numbers.append(Double(color.green))
  numbers.append(Double(color.blue))
  numbers.append(Double(color.alpha))
}

extension PremultipliedColor {
  init(numbers n: [Double], at i: Int) {
    self.init(red: Float(n[i]), green: Float(n[i + 1]), blue: Float(n[i + 2]), alpha: Float(n[i + 3]))
  }

  /// Kept to what a colour can be.
  var inRange: PremultipliedColor {
    let alpha = min(1, max(0, alpha))
    func component(_ value: Float) -> Float { min(alpha, max(0, value)) }
    return PremultipliedColor(
      red: component(red), green: component(green), blue: component(blue), alpha: alpha)
  }

  var straight: Color {
    guard alpha > 0 else { return .clear }
    return Color(red: red / alpha, green: green / alpha, blue: blue / alpha, alpha: alpha)
  }
}

extension [Filter] {
  fileprivate func amount(_ index: Int) -> Double? { index < count ? self[index].amount : nil }

  fileprivate mutating func setAmount(_ index: Int, _ amount: Double) -> Bool {
    guard index < count, let filter = self[index].withAmount(amount), filter != self[index] else { return false }
    self[index] = filter
    return true
  }
}

extension Filter {
  /// The number that can be animated: its radius, amount or degrees.
  fileprivate var amount: Double? {
    switch self {
    case .gaussianBlur(let value), .brightness(let value), .contrast(let value), .saturate(let value),
      .grayscale(let value), .invert(let value), .sepia(let value), .hueRotate(let value), .opacity(let value):
      value
    case .colorMatrix: nil
    }
  }

  fileprivate func withAmount(_ amount: Double) -> Filter? {
    let positive = max(0, amount)
    return switch self {
    case .gaussianBlur: .gaussianBlur(radius: positive)
    case .brightness: .brightness(positive)
    case .contrast: .contrast(positive)
    case .saturate: .saturate(positive)
    case .grayscale: .grayscale(positive)
    case .invert: .invert(positive)
    case .sepia: .sepia(positive)
    case .hueRotate: .hueRotate(degrees: amount)
    case .opacity: .opacity(positive)
    case .colorMatrix: nil
    }
  }
}

extension RenderTree {
  /// The property as it is shown: a filter's or a gradient's with all that belongs to it.
  func shownChange(_ property: AnimationKeyPath.Property, of slot: Int32) -> PropertyChange {
    let record = records[Int(slot)]
    switch property {
    case .bounds: return .bounds(record.bounds)
    case .position: return .position(record.position)
    case .zPosition: return .zPosition(record.zPosition)
    case .anchorPoint: return .anchorPoint(record.anchorPoint)
    case .anchorPointZ: return .anchorPointZ(record.anchorPointZ)
    case .transform: return .transform(record.transform)
    case .sublayerTransform: return .sublayerTransform(record.sublayerTransform)
    case .isHidden: return .isHidden(record.isHidden)
    case .opacity: return .opacity(record.opacity)
    case .backgroundColor: return .backgroundColor(record.backgroundColor.straight)
    case .cornerRadius: return .cornerRadius(record.cornerRadius)
    case .borderWidth: return .borderWidth(record.borderWidth)
    case .borderColor: return .borderColor(record.borderColor.straight)
    case .contentsRect: return .contentsRect(record.contentsRect)
    case .contentsScale: return .contentsScale(record.contentsScale)
    case .shadowColor, .shadowOpacity, .shadowRadius, .shadowOffset: return .shadow(effects[slot]?.shadow)
    case .filter: return .filters(effects[slot]?.filters ?? [])
    case .backdropFilter: return .backdropFilters(effects[slot]?.backdropFilters ?? [])
    case .gradientStart, .gradientEnd, .gradientColors, .gradientLocations:
      return .gradient(gradients[Int(slot)])
    case .sourceLayerOpacityScale:
      return .sourceLayerOpacityScale(portalRecord(at: slot)?.sourceLayerOpacityScale ?? 1)
    case .sourceRect: return .sourceRect(portalRecord(at: slot)?.sourceRect)
    }
  }
}
