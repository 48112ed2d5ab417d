import Commit
import Geometry
import RenderTree

/// What one showing of a source takes of a pass.
public struct PortalShare: Sendable, Hashable {
  /// The portal; nil for a source in its own place.
  public var portal: LayerID?
  public var source: LayerID
  /// Index in the plan's passes.
  public var pass: Int
  /// How many of the pass's pixels it covers.
  public var pixels: Int
  /// The source's layers are drawn again there, and no picture of them sampled.
  public var isInline: Bool
}

extension FramePlanner {
  /// What shows where in the plan that was made last, of this snapshot; for a person who asks what a frame's time goes into.
  /// - Complexity: O(portals · passes of one target).
  public func shares(of snapshot: Snapshot) -> [PortalShare] {
    var shares: [PortalShare] = []
    for use in uses {
      for (number, pass) in plan.passes.enumerated() where pass.target == passes[Int(use.pass)].target {
        let pixels = use.visible.intersection(pass.scissor ?? PixelRect(size: pass.size)).area
        guard pixels > 0 else { continue }
        shares.append(
          PortalShare(
            portal: use.portal >= 0 ? snapshot.nodes[Int(snapshot.portals[Int(use.portal)].node)].layer : nil,
            source: snapshot.nodes[Int(use.key.source)].layer, pass: number, pixels: pixels, isInline: !use.isSampled
          ))
      }
    }
    return shares
  }
}
