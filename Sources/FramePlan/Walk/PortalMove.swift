import Commit
import Geometry
import RenderTree

// The commonest of all changes by a short way: a portal that draws nothing but its source, under no clip but whole pixels, is at
// another place. It becomes what a walk would make of it.

extension FramePlanner {
  /// Places a portal's use anew. False where that is not all there is to do, and nothing is changed then.
  mutating func movePortal(_ index: Int32, _ visit: LeafVisit) -> Bool {
    guard visit.itemCount == 1, visit.clipCount == 0, case .use(let number) = items[Int(visit.firstItem)].item else {
      return false
    }
    let (i, u, place) = (Int(index), Int(number), Int(visit.place))
    guard snapshot.nodes[i].isPlainPortal, !isSharedSource[i], places[place].clip.shape < 0, uses[u].portalClip < 0,
      uses[u].sourceClip < 0, uses[u].segment < 0, uses[u].primitive >= 0
    else { return false }
    let portal = Int(snapshot.nodes[i].portal)
    guard snapshot.portals[portal].sourceRect == nil, !snapshot.portals[portal].usesSourceWindow,
      snapshot.portals[portal].contentOpacity > 0,
      places[place].alpha > 0, !places[place].showsBack, !snapshot.nodes[i].flags.contains(.turnsBack)
    else { return false }
    let matrix: Homography
    if let windowMatrix = places[place].windowMatrix {
      matrix = snapshot.nodes[i].window * windowMatrix
    } else {
      matrix = snapshot.nodes[i].local * places[place].matrix
    }
    let scissor = places[place].clip.scissor
    // What is not to be seen any more is planned whole.
    guard matrix.isFinite, !extents.rects[i].isEmpty,
      !pixels(enclosing: extents.rects[i], matrix).intersection(scissor).isEmpty
    else { return false }
    let toTarget = snapshot.portals[portal].matrix * matrix
    let shown = showing(of: uses[u].key.source, toTarget, scissor)
    guard let shown else { return false }
    uses[u].matrix = toTarget
    uses[u].showing = shown
    let (alpha, opacity) = (places[place].alpha, snapshot.portals[portal].contentOpacity)
    let isGrouped = snapshot.portals[portal].isContentOpacityGrouped
    (uses[u].alpha, uses[u].groupAlpha) = isGrouped ? (alpha, opacity) : (alpha * opacity, 1)
    uses[u].clip = places[place].clip
    uses[u].showsBack = false
    touch(uses[u].choice)
    patch.uses.append(number)
    return true
  }
}

extension SnapshotNode {
  /// It is to be seen, and draws nothing but what it shows.
  fileprivate var isPlainPortal: Bool {
    portal >= 0 && opacity == 1 && image < 0 && gradient < 0 && effects < 0 && backdrop < 0
      && backgroundColor.alpha == 0 && (borderWidth == 0 || borderColor.alpha == 0)
      && flags.isDisjoint(with: [.hidden, .hiddenByPortal, .masksToBounds, .readsBehind])
  }
}
