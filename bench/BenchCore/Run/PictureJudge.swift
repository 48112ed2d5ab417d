import Commit
import Geometry

/// Looks at what the strategies draw before their times are taken: a fast wrong picture is worth nothing.
struct PictureJudge {
  let stage: any Stage
  let options: ScaleOptions
  let tell: (String) -> Void

  init(stage: any Stage, options: ScaleOptions, tell: @escaping (String) -> Void = { _ in }) {
    self.stage = stage
    self.options = options
    self.tell = tell
  }

  /// Frames of the orbit that are looked at: in both, some of the copies show the layer that moves.
  static let frames = [11, 49]

  /// The N that is looked at, whatever is measured: each copy is large enough to show a mistake.
  private let n = 16

  func checks(_ suite: Suite) -> [PictureCheck] {
    var references: [Int: Image] = [:]
    var checks: [PictureCheck] = []
    for strategy in options.strategies {
      let key = CellKey(suite: suite, strategy: strategy, n: n)
      let place = "pictures/\(suite.rawValue)/\(strategy.rawValue)"
      if let reason = options.watch.lost[place] {
        checks.append(check(key, Self.frames[0], false, reason))
        continue
      }
      tell(place)
      do throws(BenchError) {
        let contender = try stage.contender(key)
        let pictures = [try contender.picture(frame: Self.frames[0]), try contender.picture(frame: Self.frames[1])]
        for (frame, picture) in zip(Self.frames, pictures) {
          guard let reference = references[frame] else {
            references[frame] = picture
            continue
          }
          let verdict = stage.compare(picture, with: reference, of: key)
          checks.append(check(key, frame, verdict.agrees, "against \(options.strategies[0].rawValue): \(verdict.note)"))
        }
        checks.append(movement(key, pictures[0], pictures[1]))
      } catch {
        checks.append(check(key, Self.frames[0], false, error.description))
      }
    }
    // What a factor shows differs from what others show, as it must; but it moves.
    for factor in options.factors {
      let key = CellKey(suite: suite, strategy: .portal, n: n, factor: factor)
      do throws(BenchError) {
        let contender = try stage.contender(key)
        let pictures = [try contender.picture(frame: Self.frames[0]), try contender.picture(frame: Self.frames[1])]
        var moved = movement(key, pictures[0], pictures[1])
        moved.note = "with \(factor.name): \(moved.note)"
        checks.append(moved)
      } catch {
        checks.append(check(key, Self.frames[0], false, "with \(factor.name): \(error.description)"))
      }
    }
    return checks
  }

  private func check(_ key: CellKey, _ frame: Int, _ passed: Bool, _ note: String) -> PictureCheck {
    PictureCheck(
      suite: key.suite, strategy: key.strategy, n: key.n, frame: frame, passed: passed, note: note)
  }

  /// The two frames must differ, else nothing was drawn anew; and one of them must show more than one colour.
  private func movement(_ key: CellKey, _ first: Image, _ second: Image) -> PictureCheck {
    let frame = Self.frames[1]
    guard first.size == second.size else { return check(key, frame, false, "its frames differ in size") }
    var changed = 0
    var isPlain = true
    var index = 0
    while index + 3 < first.pixels.count {
      if first.pixels[index..<index + 3] != second.pixels[index..<index + 3] { changed += 1 }
      if isPlain, first.pixels[index..<index + 3] != first.pixels[0..<3] { isPlain = false }
      index += 4
    }
    if isPlain { return check(key, frame, false, "the picture is all of one colour") }
    let share = Double(changed) / Double(max(1, first.size.area))
    let text = NumberText.significant(share * 100, 2)
    return check(
      key, frame, share > 0.001,
      share > 0.001
        ? "\(text) % of its pixels changed since frame \(Self.frames[0])"
        : "only \(text) % of its pixels changed since frame \(Self.frames[0]): it does not move")
  }
}
