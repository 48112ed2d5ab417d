import Commit
import Geometry
import RenderTree

// Pictures of a source in its own pixels, for portals with `sampling: nearest`. What they show is a matter of what is right and
// not of what is cheap, so they are drawn however few they are for.

extension FramePlanner {
  /// How many times the output's pixels such a picture may have: what is shown at half its size, turned, has eight for each.
  private static let largest = 16

  /// Adds the pictures of the uses that want them behind those that are there. They share one where what they show lies near.
  mutating func addSourcePixels(_ key: ContentKey, from use: Int32, to pictures: inout [SourcePicture]) {
    let first = pictures.count
    var next = use
    while next >= 0 {
      let i = Int(next)
      next = uses[i].next
      guard isOpen(i), uses[i].pixels >= 0 else { continue }
      let pixels = sourcePixels[Int(uses[i].pixels)]
      let limit = uses[i].reading == .nothing ? nil : self.limit(of: uses[i], pixels)
      let part = uses[i].part
      var picture = pictures[first...].firstIndex { known in
        known.pixels == pixels && known.limit == limit
          && known.part.union(part).area <= 2 * max(known.part.area, part.area)
      }
      if picture == nil, var added = SourcePicture(pixels) {
        added.limit = limit
        picture = pictures.count
        pictures.append(added)
      }
      guard let picture else { continue }
      uses[i].picture = Int32(picture)
      pictures[picture].add(part, 0)
      pictures[picture].shownPixels += uses[i].visible.area
    }
    for index in first..<pictures.count {
      pictures[index].isPossible = sizeSourcePixels(&pictures[index])
      pictures[index].textureCost = pictureCost(key, pictures[index])
    }
  }

  /// The picture's region; in perspective it may have to be coarser, until it fits.
  private func sizeSourcePixels(_ picture: inout SourcePicture) -> Bool {
    guard var pixels = picture.pixels else { return false }
    for _ in 0..<24 {
      guard picture.place(pixels) else { return false }
      if size(&picture, outputs: Self.largest) { return true }
      pixels.scaleX /= 2
      pixels.scaleY /= 2
    }
    return false
  }

  /// What of the source's pixels could show where the use is: in a picture of its own, what reads what lies behind sees no more.
  private func limit(of use: Use, _ pixels: SourcePixels) -> PixelRect? {
    guard let key = SourcePicture(pixels), let inverse = use.matrix.inverse, inverse.isAffine
    else { return nil }
    let part = inverse.boundingBox(of: use.clip.scissor.rect)
    return PixelRect(
      enclosing: Rect(
        x: part.x * key.scaleX + key.phaseX, y: part.y * key.scaleY + key.phaseY, width: part.width * key.scaleX,
        height: part.height * key.scaleY)
    ).outset(by: 1)
  }
}
