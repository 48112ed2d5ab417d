import Commit
import Geometry
import RenderTree

/// Draws a snapshot on the CPU, slowly and plainly: the second witness for every picture. It shares no code with the
/// frame plan and GL.
///
/// Coverage is the exact area of a pixel; blending is source-over of premultiplied values in single precision, encoded or
/// linear as the working space has it, rounded once at the end. Images: level `floor(log2(texels per pixel))` of box-filtered halves, bilinear
/// within it.
public struct ReferenceRenderer: Sendable {
  private var feedback = Feedback()
  /// What was secret when it was made.
  private var secrecy = Secrecy()
  private var space = WorkingSpace.rgba8
  /// Images of the last frame, with the smaller versions that were made of them.
  private var pictures: [UInt64: Picture] = [:]

  private struct Secrecy: Equatable {
    var hidesSecure = false
    var version: UInt64 = 0
  }

  /// The longest side of a target, in pixels.
  public static let longestSide = 1 << 15

  public init() {}

  /// Draws one frame: premultiplied RGBA, 8 bits a component, the top row first.
  ///
  /// It keeps what `previousFrame` portals will show in the next.
  /// - Parameters:
  ///   - size: of the output, in pixels; where it is empty or beyond `longestSide`, so is the answer.
  ///   - scale: pixels per point.
  ///   - background: what the output is cleared to.
  public mutating func draw(
    _ snapshot: Snapshot, size: PixelSize, scale: Double, background: PremultipliedColor
  ) -> [UInt8] {
    canvas(of: snapshot, size, scale, background, in: .rgba8)?.quantized() ?? []
  }

  /// As `draw`, in half floats: premultiplied RGBA of extended range in this encoding, the top row first.
  public mutating func drawComponents(
    _ snapshot: Snapshot, size: PixelSize, scale: Double, background: PremultipliedColor, blending: ColorEncoding
  ) -> [Float] {
    canvas(of: snapshot, size, scale, background, in: .rgba16f(blending: blending))?.halves() ?? []
  }

  private mutating func canvas(
    of snapshot: Snapshot, _ size: PixelSize, _ scale: Double, _ background: PremultipliedColor,
    in space: WorkingSpace
  ) -> Canvas? {
    guard let canvas = Self.canvas(size, space.color(background)) else { return nil }
    guard snapshot.hasRoot, let root = snapshot.nodes.first, scale.isFinite, scale > 0 else { return canvas }
    if space != self.space {
      // What was kept is of other values.
      (self.space, feedback, pictures) = (space, Feedback(), [:])
    }
    let secrecy = Secrecy(
      hidesSecure: snapshot.hidesSecure, version: snapshot.hidesSecure ? snapshot.secureVersion : 0)
    if secrecy != self.secrecy { feedback = Feedback() }
    self.secrecy = secrecy
    let toPixels = Homography.scale(x: scale, y: scale)
    var painter = Painter(
      snapshot, canvas: canvas, toPixels: toPixels, scale: scale, feedback: feedback, pictures: pictures, in: space)
    let visit = Visit(
      node: 0, matrix: root.window * toPixels, alpha: 1, showsBack: root.flags.contains(.turnsBack), isSource: false,
      depth: 0, context: .outside)
    let result = painter.draw(visit)
    let used = Set(snapshot.images.lazy.map(\.identity))
    pictures = painter.pictures.filter { used.contains($0.key) }
    feedback = feedback(after: painter, scale: scale)
    return result
  }

  /// Draws one layer alone, with its sublayers, where it stands in the window. What is above and behind it does not
  /// count, nor does its own opacity, as in a portal of it. No frame: `previousFrame` portals show what they showed.
  public mutating func draw(
    _ snapshot: Snapshot, size: PixelSize, scale: Double, background: PremultipliedColor, layer: LayerID
  ) -> [UInt8] {
    let space = WorkingSpace.rgba8
    guard let canvas = Self.canvas(size, space.color(background)) else { return [] }
    guard let index = snapshot.index(of: layer), scale.isFinite, scale > 0 else { return canvas.quantized() }
    let toPixels = Homography.scale(x: scale, y: scale)
    var showsBack = false
    var ancestor = index
    while ancestor >= 0 {
      if snapshot.nodes[Int(ancestor)].flags.contains(.turnsBack) { showsBack.toggle() }
      ancestor = snapshot.nodes[Int(ancestor)].parent
    }
    var painter = Painter(
      snapshot, canvas: canvas, toPixels: toPixels, scale: scale,
      feedback: self.space == space ? feedback : Feedback(), pictures: self.space == space ? pictures : [:], in: space)
    let visit = Visit(
      node: index, matrix: snapshot.nodes[Int(index)].window * toPixels, alpha: 1, showsBack: showsBack,
      isSource: true, depth: 0, context: .outside)
    return painter.draw(visit).quantized()
  }

  private static func canvas(_ size: PixelSize, _ background: PremultipliedColor) -> Canvas? {
    guard !size.isEmpty, size.width <= longestSide, size.height <= longestSide else { return nil }
    return Canvas(size: size, color: background)
  }

  /// What the sources of `previousFrame` portals show at the end of the frame that `painter` drew; what they show of
  /// themselves is the frame before that.
  private func feedback(after painter: Painter, scale: Double) -> Feedback {
    var result = Feedback()
    for (source, context) in painter.feedbackSources {
      let node = painter.snapshot.nodes[Int(source)]
      guard let layout = Feedback.layout(of: node.bounds, scale: scale) else { continue }
      let toPicture =
        Homography.translation(x: -node.bounds.x, y: -node.bounds.y)
        * .scale(x: layout.pixelsPerPoint, y: layout.pixelsPerPoint)
      var copyist = Painter(
        painter.snapshot, canvas: Canvas(size: layout.size, color: .clear), toPixels: toPicture, scale: scale,
        feedback: feedback, pictures: pictures, in: space)
      let visit = Visit(
        node: source, matrix: toPicture, alpha: 1, showsBack: false, isSource: true, depth: 1,
        context: context)
      let picture = Picture(size: layout.size, copyist.draw(visit), in: space)
      result.frames[node.layer] = Feedback.Frame(
        picture: picture, bounds: node.bounds, pixelsPerPoint: layout.pixelsPerPoint)
    }
    return result
  }
}
