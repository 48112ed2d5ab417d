import Commit
import Geometry

extension AnimationKeyPath.Part {
  /// The numbers of the part of a property whose numbers are `whole`.
  func extract(from whole: [Double], into part: inout [Double]) {
    switch self {
    case .whole: part.append(contentsOf: whole)
    case .x, .originX: part.append(whole[0])
    case .y, .originY: part.append(whole[1])
    case .width: part.append(whole[2])
    case .height: part.append(whole[3])
    case .origin:
      part.append(whole[0])
      part.append(whole[1])
    case .size:
      part.append(whole[2])
      part.append(whole[3])
    default: extractFromTransform(Transform3D(numbers: whole, at: 0), into: &part)
    }
  }

  private func extractFromTransform(_ transform: Transform3D, into part: inout [Double]) {
    guard let parts = TransformDecomposition(transform) else {
      // A stand-in for what has no parts; it is not put back either.
      part.append(0)
      if self == .translation { part.append(0) }
      return
    }
    switch self {
    case .translation:
      part.append(parts.translation.x)
      part.append(parts.translation.y)
    case .translationX: part.append(parts.translation.x)
    case .translationY: part.append(parts.translation.y)
    case .translationZ: part.append(parts.translation.z)
    case .scale: part.append((parts.scale.x + parts.scale.y + parts.scale.z) / 3)
    case .scaleX: part.append(parts.scale.x)
    case .scaleY: part.append(parts.scale.y)
    case .scaleZ: part.append(parts.scale.z)
    case .rotationX: part.append(parts.rotation.angles.x)
    case .rotationY: part.append(parts.rotation.angles.y)
    default: part.append(parts.rotation.angles.z)
    }
  }

  /// Puts the part in its place. A transform that can't be taken apart stays as it is.
  func insert(_ part: [Double], into whole: inout [Double]) {
    switch self {
    case .whole: whole = part
    case .x, .originX: whole[0] = part[0]
    case .y, .originY: whole[1] = part[0]
    case .width: whole[2] = part[0]
    case .height: whole[3] = part[0]
    case .origin:
      whole[0] = part[0]
      whole[1] = part[1]
    case .size:
      whole[2] = part[0]
      whole[3] = part[1]
    default:
      guard let transform = inserted(part, into: Transform3D(numbers: whole, at: 0)) else { return }
      whole.removeAll(keepingCapacity: true)
      transform.append(to: &whole)
    }
  }

  private func inserted(_ part: [Double], into transform: Transform3D) -> Transform3D? {
    guard var parts = TransformDecomposition(transform) else { return nil }
    var angles = parts.rotation.angles
    switch self {
    case .translation: (parts.translation.x, parts.translation.y) = (part[0], part[1])
    case .translationX: parts.translation.x = part[0]
    case .translationY: parts.translation.y = part[0]
    case .translationZ: parts.translation.z = part[0]
    case .scale: parts.scale = SIMD3(repeating: part[0])
    case .scaleX: parts.scale.x = part[0]
    case .scaleY: parts.scale.y = part[0]
    case .scaleZ: parts.scale.z = part[0]
    case .rotationX: angles.x = part[0]
    case .rotationY: angles.y = part[0]
    default: angles.z = part[0]
    }
    switch self {
    case .rotationX, .rotationY, .rotationZ: parts.rotation = Quaternion(angles: angles)
    default: break
    }
    return parts.transform
  }
}
