import Geometry

/// The part of a target that a frame must draw anew: a few rectangles, which may overlap.
struct Damage: Equatable {
  /// More than so many are joined: each is a pass of its own.
  static let mostRects = 4

  private(set) var rects = DamageRects()
  /// All of the target, however large.
  private(set) var isEverything = false

  static let everything = {
    var damage = Damage()
    damage.isEverything = true
    return damage
  }()

  var isEmpty: Bool { rects.isEmpty && !isEverything }

  mutating func add(_ rect: PixelRect) {
    guard !isEverything, !rect.isEmpty else { return }
    var rect = rect
    // What it touches becomes one with it, as long as that adds little.
    var index = 0
    while index < rects.count {
      let joined = rects[index].union(rect)
      if rects[index].contains(rect) { return }
      if joined.area <= rects[index].area + rect.area {
        rect = joined
        rects.remove(at: index)
        index = 0
      } else {
        index += 1
      }
    }
    rects.append(rect)
    if rects.count > Self.mostRects { joinNearest() }
  }

  /// Joins those that overlap, so that each pixel is in one.
  mutating func separate() {
    for a in rects.indices {
      for b in rects.indices where b > a && rects[a].intersects(rects[b]) {
        let joined = rects[a].union(rects[b])
        rects.remove(at: b)
        rects[a] = joined
        return separate()
      }
    }
  }

  /// Makes one rectangle of all.
  mutating func join() {
    guard let first = rects.first else { return }
    let all = rects.reduce(first) { $0.union($1) }
    rects = DamageRects()
    rects.append(all)
  }

  /// Joins the two whose union adds least.
  private mutating func joinNearest() {
    var best = (a: 0, b: 1, added: Int.max)
    for a in rects.indices {
      for b in rects.indices where b > a {
        let added = rects[a].union(rects[b]).area - rects[a].area - rects[b].area
        if added < best.added { best = (a, b, added) }
      }
    }
    let joined = rects[best.a].union(rects[best.b])
    rects.remove(at: best.b)
    rects.remove(at: best.a)
    add(joined)
  }

  /// Cut to a target of `size`; everything where that is not much more.
  func settled(_ size: PixelSize) -> Damage {
    if isEverything { return self }
    let whole = PixelRect(size: size)
    var result = Damage()
    var area = 0
    for rect in rects {
      let part = rect.intersection(whole)
      result.add(part)
    }
    for rect in result.rects { area += rect.area }
    return area * 4 > whole.area * 3 ? .everything : result
  }
}

/// As many rectangles as damage has, and the one that is being added; without storage of their own.
struct DamageRects: Equatable, RandomAccessCollection {
  private var storage = (PixelRect.empty, PixelRect.empty, PixelRect.empty, PixelRect.empty, PixelRect.empty)
  private(set) var count = 0

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> PixelRect {
    get {
      switch index {
      case 0: storage.0
      case 1: storage.1
      case 2: storage.2
      case 3: storage.3
      default: storage.4
      }
    }
    set {
      switch index {
      case 0: storage.0 = newValue
      case 1: storage.1 = newValue
      case 2: storage.2 = newValue
      case 3: storage.3 = newValue
      default: storage.4 = newValue
      }
    }
  }

  mutating func append(_ rect: PixelRect) {
    guard count <= Damage.mostRects else { return }
    count += 1
    self[count - 1] = rect
  }

  /// Takes one away; the last takes its place.
  mutating func remove(at index: Int) {
    self[index] = self[count - 1]
    count -= 1
  }

  static func == (a: DamageRects, b: DamageRects) -> Bool { a.elementsEqual(b) }
}
