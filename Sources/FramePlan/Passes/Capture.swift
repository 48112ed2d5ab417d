import Commit
import Geometry

/// A picture of what a pass has drawn so far.
struct CaptureDraft {
  /// Whose target is looked at.
  var pass: Int32
  /// What is made of it there: its own pass first.
  var passes: [Int32] = []
  /// The first place at which it is wanted has been reached.
  var isMade = false
  /// How often the pass had been looked at before.
  var look: Int32 = -1
}

extension FramePlanner {
  /// Has the pass of `segment` looked at where it now is.
  mutating func addCapture(in segment: Int32) -> Int32 {
    let index = Int32(captures.count)
    captures.append(CaptureDraft(pass: segments[Int(segment)].pass))
    append(.capture(index), to: segment)
    return index
  }

  /// A picture of `region` of the pass that is looked at. `body` may add passes that sample it.
  mutating func capture<Result>(
    _ index: Int32, region: PixelRect, name: TargetName, _ body: (inout FramePlanner, GroupPicture) -> Result
  ) -> Result {
    let outer = capturing
    capturing = index
    defer { capturing = outer }
    let target = addTarget(
      Target(size: region.size, purpose: .group, mipLevels: 0, historyKey: nil, name: name))
    let pass = addPass(.target(target), size: region.size)
    passes[Int(pass)].looksAt = captures[Int(index)].pass
    let segment = passes[Int(pass)].segment
    append(captureQuad(of: captures[Int(index)].pass, region: region), to: segment)
    return body(&self, GroupPicture(target: target, size: region.size, rect: region.rect, segment: segment))
  }

  /// Draws `region` of what `pass` has drawn so far, pixel by pixel.
  func captureQuad(of pass: Int32, region: PixelRect) -> Primitive {
    let source = passes[Int(pass)]
    let texture: TextureReference
    switch source.target {
    case .output: texture = .output
    case .target(let target): texture = .target(target)
    }
    // What the target does not have is nothing, and not its edge.
    let there = region.intersection(PixelRect(size: source.size))
    let place = there.offsetBy(dx: -region.minX, dy: -region.minY)
    return Primitive(
      shape: RoundedRect(rect: place.rect), matrix: .identity, color: .white, texture: texture,
      map: TextureMap(from: place.rect, to: there.rect, of: source.size), filter: .nearest,
      texelSize: source.size.texel, clip: ClipState(scissor: PixelRect(size: region.size)), opaque: place.rect,
      hasSoftEdges: true)
  }

  /// The pixels that the pass of `segment` has.
  func pixels(of segment: Int32) -> PixelRect {
    PixelRect(size: passes[Int(segments[Int(segment)].pass)].size)
  }
}
