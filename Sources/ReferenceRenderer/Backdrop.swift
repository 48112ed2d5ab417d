import Commit
import Geometry
import RenderTree

// What a layer shows of what lies behind it.

/// What was captured behind a layer, after the backdrop's filters.
struct Backdrop {
  var picture: Canvas
  /// It is seen through this.
  var glass: Glass?
}

extension Painter {
  /// What the node shows of what was drawn so far. Nil where nothing of it is in view.
  mutating func backdrop(of node: SnapshotNode, _ visit: Visit) -> Backdrop? {
    let backdrop = snapshot.backdrops[Int(node.backdrop)]
    let box = PixelRect(around: node.bounds, under: visit.matrix).intersection(scissor)
    guard !box.isEmpty else { return nil }
    let capture = backdrop.group >= 0 ? self.capture(of: backdrop.group) : canvas.part(box)
    let shown = backdrop.lens == nil ? box : capture.bounds
    let filtered = capture.filtered(as: backdrop, of: node, under: visit.matrix, in: shown, space)
    guard let lens = backdrop.lens else { return Backdrop(picture: filtered.part(box)) }
    guard let glass = Glass(lens, over: node, under: visit.matrix, in: space) else { return nil }
    return Backdrop(picture: filtered, glass: glass)
  }

  /// Puts it in the place of what lies behind, as far as the layer's shape covers that.
  ///
  /// The layer's own shadow and filters may want more of it than what could be captured: its edge pixels go on.
  mutating func draw(_ backdrop: Backdrop, of node: SnapshotNode, _ visit: Visit) {
    let picture = backdrop.picture
    let captured = picture.bounds
    guard !captured.isEmpty else { return }
    if let glass = backdrop.glass {
      let seen = glass.seeing(picture, in: PixelRect(around: node.bounds, under: visit.matrix).intersection(scissor))
      canvas.replace(seen.coverage, alpha: visit.alpha) { x, y in seen.picture.pixels[seen.picture.index(x: x, y: y)] }
      return
    }
    let coverage = Coverage(of: node.shape, under: visit.matrix, within: scissor)
    canvas.replace(coverage, alpha: visit.alpha) { x, y in
      let held = (
        min(max(x, Int(captured.minX)), Int(captured.maxX) - 1), min(max(y, Int(captured.minY)), Int(captured.maxY) - 1)
      )
      return picture.pixels[picture.index(x: held.0, y: held.1)]
    }
  }
}

extension Canvas {
  /// The capture after the backdrop's filters, as far as `shown` needs it. A blur sees it mirrored at its edges.
  fileprivate func filtered(
    as backdrop: SnapshotBackdrop, of node: SnapshotNode, under matrix: Homography, in shown: PixelRect,
    _ space: WorkingSpace
  ) -> Canvas {
    guard !backdrop.filters.isEmpty || backdrop.lens != nil else { return self }
    let gaussians = backdrop.filters.map { filter -> Gaussian? in
      guard case .gaussianBlur(let radius) = filter else { return nil }
      return SnapshotEffects.gaussian(radius: radius, bounds: node.bounds, under: matrix)?.held
    }
    // What each filter must leave for those after it.
    var areas = [shown]
    for gaussian in gaussians.reversed() {
      let last = areas[areas.count - 1]
      areas.append(gaussian.map { last.outset(by: $0).intersection(bounds) } ?? last)
    }
    var result = part(areas.removeLast())
    for (filter, gaussian) in zip(backdrop.filters, gaussians) {
      let area = areas.removeLast()
      if let gaussian {
        result = result.kept(in: space).mirrored(at: bounds, to: area.outset(by: gaussian)).blurred(
          gaussian, within: area)
      } else if let matrix = filter.matrix {
        result = result.kept(in: space).applying(matrix, in: space)
      }
    }
    return result
  }

  /// Grown to `area`: beyond the edges of `whole` lies its mirror image. The canvas has all that is asked for.
  private func mirrored(at whole: PixelRect, to area: PixelRect) -> Canvas {
    func held(_ place: Int, _ low: Int32, _ length: Int) -> Int {
      let turn = (place - Int(low)) % (2 * length)
      let inside = turn < 0 ? turn + 2 * length : turn
      return Int(low) + (inside < length ? inside : 2 * length - 1 - inside)
    }
    var result = Canvas(limit: area)
    result.change(area) { x, y, _ in
      pixels[index(x: held(x, whole.minX, whole.width), y: held(y, whole.minY, whole.height))]
    }
    return result
  }
}

extension Gaussian {
  /// As wide as a mirrored picture can tell, so that what is needed of one is bounded.
  fileprivate var held: Gaussian {
    let reach = max(reach.x, reach.y)
    return reach <= 1024 ? self : scaled(x: 1024 / Double(reach), y: 1024 / Double(reach))
  }
}

extension PixelRect {
  /// The pixels around what `rect` shows under `transform`.
  init(around rect: Rect, under transform: Homography) {
    let box = transform.boundingBox(of: rect)
    self = .empty
    guard box.isFinite, box.width > 0, box.height > 0 else { return }
    self = PixelRect(
      enclosing: Rect(
        minX: Outline.snapped(box.minX), minY: Outline.snapped(box.minY), maxX: Outline.snapped(box.maxX),
        maxY: Outline.snapped(box.maxY)))
  }
}
