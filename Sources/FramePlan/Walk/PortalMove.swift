import Commit
import Geometry
import RenderTree

// The commonest of all layers, and of all changes, by a short way: a portal that draws nothing but its source, under no clip
// but whole pixels, is shown, or is at another place. It becomes what the long way would make of it.

extension FramePlanner {
  /// Notes what such a portal shows. False where that is not all there is to do, and nothing is done then.
  mutating func visitPortal(_ index: Int32, in place: Int32) -> Bool {
    let i = Int(index)
    guard let shown = plainShowing(of: i, in: Int(place)) else { return false }
    let portal = snapshot.nodes[i].portal
    guard case .content(let context) = snapshot.entry(of: portal, in: places[Int(place)].recursion) else {
      return false
    }
    let segment = places[Int(place)].segment
    let alpha = alphas(of: Int(portal), in: Int(place))
    var use = Use(
      key: ContentKey(source: snapshot.portals[Int(portal)].source, context: context), portal: portal,
      matrix: shown.matrix, alpha: alpha.layer, groupAlpha: alpha.group, clip: places[Int(place)].clip,
      showsBack: false,
      pass: segments[Int(segment)].pass, showing: shown.showing)
    plan.counters.layersVisited += 1
    let visit = LeafVisit(
      place: place, firstItem: Int32(items.count), itemCount: 1, firstClip: Int32(clips.count), clipCount: 0)
    append(&use, to: segment)
    note(visit, of: i)
    return true
  }

  /// Places a portal's use anew. False where that is not all there is to do, and nothing is changed then.
  mutating func movePortal(_ index: Int32, _ visit: LeafVisit) -> Bool {
    guard visit.itemCount == 1, visit.clipCount == 0, case .use(let number) = items[Int(visit.firstItem)].item else {
      return false
    }
    let (u, place) = (Int(number), Int(visit.place))
    // What is not to be seen any more is planned whole.
    guard uses[u].isSampled, !uses[u].hasShapes, let shown = plainShowing(of: Int(index), in: place) else {
      return false
    }
    uses[u].matrix = shown.matrix
    uses[u].showing = shown.showing
    let alpha = alphas(of: Int(uses[u].portal), in: place)
    (uses[u].alpha, uses[u].groupAlpha) = (alpha.layer, alpha.group)
    uses[u].clip = places[place].clip
    uses[u].showsBack = false
    touch(uses[u].choice)
    patch.uses.append(number)
    return true
  }

  /// What a portal shows that draws nothing but its source, and how its source lies there; nil where it is none, or where
  /// nothing is to be seen of it.
  private mutating func plainShowing(of i: Int, in place: Int) -> (matrix: Homography, showing: UseShowing)? {
    guard snapshot.nodes[i].isPlainPortal(i), !isSharedSource[i], places[place].clip.shape < 0, places[place].alpha > 0,
      !places[place].showsBack
    else { return nil }
    let portal = Int(snapshot.nodes[i].portal)
    let source = snapshot.portals[portal].source
    guard source >= 0, snapshot.portals[portal].sourceRect == nil, !snapshot.portals[portal].usesSourceWindow,
      snapshot.portals[portal].sampling == .automatic, snapshot.portals[portal].contentOpacity > 0,
      !snapshot.nodes[Int(source)].flags.contains(.readsBehind)
    else { return nil }
    let matrix: Homography
    if let windowMatrix = places[place].windowMatrix {
      matrix = snapshot.nodes[i].window * windowMatrix
    } else {
      matrix = snapshot.nodes[i].local * places[place].matrix
    }
    let scissor = places[place].clip.scissor
    guard matrix.isFinite, !extents.rects[i].isEmpty,
      !pixels(enclosing: extents.rects[i], matrix).intersection(scissor).isEmpty
    else { return nil }
    let toTarget = snapshot.portals[portal].matrix * matrix
    guard let showing = showing(of: source, toTarget, scissor) else { return nil }
    return (toTarget, showing)
  }

  /// What of the portal's alpha goes into each drawing of its source, and what into all of it as one.
  private func alphas(of portal: Int, in place: Int) -> (layer: Float, group: Float) {
    let (alpha, opacity) = (places[place].alpha, snapshot.portals[portal].contentOpacity)
    return snapshot.portals[portal].isContentOpacityGrouped ? (alpha, opacity) : (alpha * opacity, 1)
  }
}

extension SnapshotNode {
  /// It is to be seen, has no sublayers, and draws nothing but what it shows.
  fileprivate func isPlainPortal(_ index: Int) -> Bool {
    portal >= 0 && end == Int32(index) + 1 && opacity == 1 && image < 0 && gradient < 0 && effects < 0 && backdrop < 0
      && backgroundColor.alpha == 0 && (borderWidth == 0 || borderColor.alpha == 0)
      && flags.isDisjoint(with: [.hidden, .hiddenByPortal, .masksToBounds, .readsBehind, .turnsBack, .snapsToPixels])
  }
}
