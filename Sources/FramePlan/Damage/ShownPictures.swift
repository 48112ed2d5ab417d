import Commit
import Geometry

// Which pictures a frame has pixels of to show, however much of it was drawn anew: what lies wholly behind opaque quads is
// not seen, nor is what only an unseen quad samples.

extension FramePlanner {
  /// The pictures that the last planned frame shows, by identity. A target that is looked at in its midst shows all that is
  /// drawn in it, since what is hidden in the end may be seen there.
  public mutating func shownPictures() -> Set<UInt64> {
    var shown: Set<UInt64> = []
    var visited: Set<TargetReference> = [.output]
    var waiting: [TargetReference] = [.output]
    while let target = waiting.popLast() {
      guard let pass = memory.pass(of: target) else { continue }
      for key in keysShown(of: pass) {
        for texture in [pass.quads.keys[key].texture, pass.quads.keys[key].backdrop] {
          switch texture {
          case .image(let index): shown.insert(plan.images[Int(index)].identity)
          case .target(let index):
            if visited.insert(.target(index)).inserted { waiting.append(.target(index)) }
          case .history: waiting += unvisitedHistory(&visited)
          case .none, .output: break
          }
        }
      }
    }
    return shown
  }

  /// The keys of the quads that show.
  private mutating func keysShown(of pass: PassMemory) -> [Int] {
    let quads = pass.quads
    var isShown = [Bool](repeating: false, count: quads.keys.count)
    let area = PixelRect(size: pass.size)
    scratch.occlusion.reset(area)
    for quad in quads.quads.reversed() {
      let key = Int(quad.key)
      let hides = quads.keys[key].blending == .replace && pass.looks.isEmpty
      guard hides || !isShown[key] else { continue }
      guard !scratch.occlusion.visiblePart(of: quad.bounds).isEmpty else { continue }
      isShown[key] = true
      if hides { scratch.occlusion.hide(quad.bounds) }
    }
    return isShown.indices.filter { isShown[$0] }
  }

  /// Targets that hold the frame before.
  private func unvisitedHistory(_ visited: inout Set<TargetReference>) -> [TargetReference] {
    plan.targets.indices.compactMap { index in
      let target = TargetReference.target(Int32(index))
      return plan.targets[index].historyKey != nil && visited.insert(target).inserted ? target : nil
    }
  }
}
