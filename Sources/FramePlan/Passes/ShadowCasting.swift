import Commit
import Geometry
import RenderTree

// Shadows: the picture's alpha, or a shape's, blurred and tinted below the picture.

extension FramePlanner {
  func shadowPlace(_ shadow: Shadow, _ c: NodeContext) -> ShadowPlace {
    let bounds = c.node.bounds
    let shape = shadow.path.map { path in
      let rect = path.rect.standardized
      return RoundedRect(rect: rect, radii: CornerRadii(radius: path.radius, mask: .all, size: rect.size))
    }
    return ShadowPlace(
      tint: shadow.tint,
      gaussian: SnapshotEffects.gaussian(radius: shadow.radius, bounds: bounds, under: c.matrix),
      offset: SnapshotEffects.offset(of: shadow, bounds: bounds, under: c.matrix), shape: shape, matrix: c.matrix)
  }

  /// Puts the picture over its shadow.
  mutating func cast(_ shadow: ShadowPlace, by picture: inout GroupPicture) {
    var silhouette = picture
    if let shape = shadow.shape { silhouette = drawn(shape, shadow.matrix, like: picture) }
    if let gaussian = shadow.gaussian { silhouette = blurred(silhouette, gaussian) }
    silhouette.rect = silhouette.rect.offsetBy(dx: shadow.offset.x, dy: shadow.offset.y)
    let whole = openPicture(like: picture)
    let area = PixelRect(size: whole.size)
    let isInPlace =
      silhouette.isExact && shadow.offset.x == shadow.offset.x.rounded()
      && shadow.offset.y == shadow.offset.y.rounded()
    for (index, part) in [silhouette, picture].enumerated() {
      var part = part
      let scale = whole.density
      part.rect = Rect(
        x: (part.rect.x - whole.rect.x) * scale.x, y: (part.rect.y - whole.rect.y) * scale.y,
        width: part.rect.width * scale.x, height: part.rect.height * scale.y)
      var primitive = Primitive(
        shape: RoundedRect(rect: part.rect), matrix: .identity, color: .white, texture: .target(part.target),
        map: part.map, filter: index == 1 || isInPlace ? .nearest : .linear, texelSize: part.size.texel,
        clip: ClipState(scissor: area), hasSoftEdges: true)
      if index == 0 { primitive.effect = addEffect(.colors(shadow.tint)) }
      append(primitive, to: whole.segment)
    }
    picture = whole
  }

  /// A shape alone, in a picture of the same place.
  private mutating func drawn(_ shape: RoundedRect, _ matrix: Homography, like picture: GroupPicture) -> GroupPicture {
    let result = openPicture(like: picture)
    let scale = picture.density
    append(
      Primitive(
        shape: shape,
        matrix: matrix.translated(x: -picture.rect.x, y: -picture.rect.y) * .scale(x: scale.x, y: scale.y),
        color: .white, clip: ClipState(scissor: PixelRect(size: picture.size))),
      to: result.segment)
    return result
  }

  /// A new target that lies as the picture does.
  private mutating func openPicture(like picture: GroupPicture) -> GroupPicture {
    let target = addTarget(
      Target(
        size: picture.size, purpose: .group, mipLevels: 0, historyKey: nil,
        name: plan.targets[Int(picture.target)].name))
    let pass = addPass(.target(target), size: picture.size)
    return GroupPicture(
      target: target, size: picture.size, rect: picture.rect, segment: passes[Int(pass)].segment)
  }
}
