import Geometry
import RenderTree

/// Where a picture of a source's own pixels shows.
struct PicturePlace {
  /// The pixels in hand → those of the picture.
  let toPicture: Homography
  let toPixels: Homography
  /// What of the picture may show.
  let region: PixelRect
  let opacity: Float
  /// Where drawing goes on afterwards, which is all that it shows in.
  let scissor: PixelRect

  /// However much of a plane that leads away from the eye, or is seen all but edge on, would show.
  private static let farthest = 4096.0

  /// Nil where nothing of it shows. `matrix` leads from the source's layer space to the pixels in hand.
  init?(_ pixels: SourcePixels, under matrix: Homography, opacity: Float, within scissor: PixelRect) {
    guard let back = matrix.inverse, let toLayer = pixels.matrix.inverse, !scissor.isEmpty else { return nil }
    toPicture = back * pixels.matrix
    toPixels = toLayer * matrix
    self.opacity = opacity
    self.scissor = scissor
    guard toPicture.isFinite, toPixels.isFinite else { return nil }
    let all = Rect(minX: -Self.farthest, minY: -Self.farthest, maxX: Self.farthest, maxY: Self.farthest)
    let isBeforeEye = toPicture.isAffine || scissor.rect.corners.allSatisfy { back.project($0).w > 0 }
    let box = isBeforeEye ? toPicture.boundingBox(of: scissor.rect) : all
    let isModest = box.width <= 4 * Self.farthest && box.height <= 4 * Self.farthest
    region = PixelRect(enclosing: isModest ? box : box.intersection(all)).outset(by: 1)
  }
}

extension Canvas {
  /// Lays a picture over what is there: for each pixel the one of the picture in which its middle lies.
  mutating func paint(_ picture: Canvas, _ place: PicturePlace) {
    guard !picture.bounds.isEmpty, place.opacity > 0 else { return }
    let area = PixelRect(around: picture.bounds.rect, under: place.toPixels).intersection(place.scissor)
    let inside = picture.bounds
    func pixel(_ place: Double) -> Int? {
      // Without the rounding that transforms leave.
      Int(exactly: ((place * 0x1p20).rounded() * 0x1p-20 + SourcePixels.tie).rounded(.down))
    }
    change(area) { x, y, behind in
      let p = place.toPicture.project(Point(Double(x) + 0.5, Double(y) + 0.5))
      guard p.w > 0, let u = pixel(p.x / p.w), let v = pixel(p.y / p.w), u >= Int(inside.minX), u < Int(inside.maxX),
        v >= Int(inside.minY), v < Int(inside.maxY)
      else { return behind }
      let color = picture.pixels[picture.index(x: u, y: v)] * place.opacity
      return color + behind * (1 - color.w)
    }
  }
}
