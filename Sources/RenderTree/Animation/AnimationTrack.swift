import Commit
import Geometry

/// One property's way through an animation, with all that was left open worked out.
struct AnimationTrack: Sendable {
  var keyPath: AnimationKeyPath
  /// Index in the animation's clocks.
  var clock: Int32
  var isAdditive: Bool
  var motion: Motion
  /// The values on the way, one after the other, each of `width` numbers: colours premultiplied.
  var keys: [Double]
  var width: Int
  /// What comes last is not in `keys`: it is whatever the property has without this animation.
  var endsAtModel = false
  /// What the value moved with when the animation was added, in units a second; empty for nothing. A transform's are
  /// those of its decomposition.
  var velocity: [Double] = []

  enum Motion: Sendable {
    case basic
    case spring(Spring)
    case keyframes(KeyframePlan)
  }

  /// The value into `value`, which holds what the property has without this animation.
  /// - Returns: False where there is nothing to show, and `value` is as it was.
  func apply(progress: Double, seconds: Double, to value: inout [Double], scratch: inout [Double]) -> Bool {
    guard value.count == width else { return false }
    scratch.removeAll(keepingCapacity: true)
    switch motion {
    case .basic:
      mix(0, 1, progress, under: value, into: &scratch)
    case .spring(let spring):
      let response = spring.response(at: seconds)
      let thrown = spring.initialVelocity == 0 ? 0 : spring.initialVelocity * response.velocity
      mix(0, 1, 1 - response.distance + thrown, under: value, into: &scratch)
      if !velocity.isEmpty { push(&scratch, by: response.velocity) }
    case .keyframes(let plan):
      plan.place(at: progress) { from, to, part, isCurved in
        if isCurved {
          curve(from, part, under: value, into: &scratch)
        } else {
          mix(from, to, part, under: value, into: &scratch)
        }
      }
    }
    guard scratch.count == width, scratch.allSatisfy(\.isFinite) else { return false }
    if isAdditive { add(scratch, to: &value) } else { swap(&value, &scratch) }
    return value.allSatisfy(\.isFinite)
  }

  private var isTransform: Bool { keyPath.kind == .transform }

  private var count: Int { keys.count / max(1, width) + (endsAtModel ? 1 : 0) }

  /// A number of a key, or of what the property has without this animation.
  private func number(_ key: Int, _ index: Int, _ under: [Double]) -> Double {
    let place = key * width + index
    return place < keys.count ? keys[place] : under[index]
  }

  private func transform(_ key: Int, _ under: [Double]) -> Transform3D {
    let place = key * width
    return place < keys.count ? Transform3D(numbers: keys, at: place) : Transform3D(numbers: under, at: 0)
  }

  private func mix(_ from: Int, _ to: Int, _ progress: Double, under: [Double], into result: inout [Double]) {
    let (from, to) = (min(from, count - 1), min(to, count - 1))
    if isTransform {
      transform(from, under).interpolated(to: transform(to, under), progress).append(to: &result)
      return
    }
    for index in 0..<width {
      let (a, b) = (number(from, index, under), number(to, index, under))
      result.append(progress == 1 ? b : a + (b - a) * progress)
    }
  }

  /// The smooth curve through the keys, `part` of the way from key `from` to the next.
  private func curve(_ from: Int, _ part: Double, under: [Double], into result: inout [Double]) {
    let last = count - 1
    let (before, to, after) = (max(0, from - 1), min(last, from + 1), min(last, from + 2))
    guard !isTransform else {
      // Its turn goes straight; what can be added is curved.
      guard let a = TransformDecomposition(transform(before, under)),
        let b = TransformDecomposition(transform(from, under)), let c = TransformDecomposition(transform(to, under)),
        let d = TransformDecomposition(transform(after, under))
      else { return mix(from, to, part, under: under, into: &result) }
      var mixed = b.interpolated(to: c, part)
      mixed.scale = SIMD3(
        CatmullRom.at(part, a.scale.x, b.scale.x, c.scale.x, d.scale.x),
        CatmullRom.at(part, a.scale.y, b.scale.y, c.scale.y, d.scale.y),
        CatmullRom.at(part, a.scale.z, b.scale.z, c.scale.z, d.scale.z))
      mixed.translation = SIMD3(
        CatmullRom.at(part, a.translation.x, b.translation.x, c.translation.x, d.translation.x),
        CatmullRom.at(part, a.translation.y, b.translation.y, c.translation.y, d.translation.y),
        CatmullRom.at(part, a.translation.z, b.translation.z, c.translation.z, d.translation.z))
      return mixed.transform.append(to: &result)
    }
    for index in 0..<width {
      result.append(
        CatmullRom.at(
          part, number(before, index, under), number(from, index, under), number(to, index, under),
          number(after, index, under)))
    }
  }

  /// What the velocity that the property had has made by now.
  private func push(_ value: inout [Double], by seconds: Double) {
    if isTransform {
      guard var parts = TransformDecomposition(Transform3D(numbers: value, at: 0)) else { return }
      parts.move(by: velocity, seconds)
      value.removeAll(keepingCapacity: true)
      return parts.transform.append(to: &value)
    }
    for index in 0..<min(width, velocity.count) { value[index] += velocity[index] * seconds }
  }

  private func add(_ change: [Double], to value: inout [Double]) {
    if isTransform {
      let product = Transform3D(numbers: change, at: 0) * Transform3D(numbers: value, at: 0)
      value.removeAll(keepingCapacity: true)
      return product.append(to: &value)
    }
    for index in 0..<width { value[index] += change[index] }
  }
}

/// A smooth curve through four values, the middle two its ends.
enum CatmullRom {
  static func at(_ part: Double, _ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
    let (slopeB, slopeC) = ((c - a) / 2, (d - b) / 2)
    let rise = c - b
    let cubic = slopeB + slopeC - 2 * rise
    let square = 3 * rise - 2 * slopeB - slopeC
    return ((cubic * part + square) * part + slopeB) * part + b
  }
}

extension Transform3D {
  init(numbers n: [Double], at i: Int) {
    self.init(
      m11: n[i], m12: n[i + 1], m13: n[i + 2], m14: n[i + 3], m21: n[i + 4], m22: n[i + 5], m23: n[i + 6],
      m24: n[i + 7], m31: n[i + 8], m32: n[i + 9], m33: n[i + 10], m34: n[i + 11], m41: n[i + 12], m42: n[i + 13],
      m43: n[i + 14], m44: n[i + 15])
  }

  func append(to numbers: inout [Double]) {
    numbers.append(m11)
    numbers.append(m12)
    numbers.append(m13)
    numbers.append(m14)
    numbers.append(m21)
    numbers.append(m22)
    numbers.append(m23)
    numbers.append(m24)
    numbers.append(m31)
    numbers.append(m32)
    numbers.append(m33)
    numbers.append(m34)
    numbers.append(m41)
    numbers.append(m42)
    numbers.append(m43)
    numbers.append(m44)
  }
}
