import Commit
import Geometry

/// What a texture reference stands for from frame to frame: two equal ones are the same pixels, unless those were damaged.
enum Remembered: Hashable {
  case none
  case image(UInt64)
  /// Pictures that take each other's place: the same texture, with other pixels where the two differ.
  case stream(UInt64)
  case target(UInt64)
  case output
  /// The frame before, which is another in every frame.
  case history
}

/// A key with what its references stand for, so that it means the same in another frame.
struct RememberedKey: Hashable {
  var key: QuadKey
  var texture: Remembered
  var backdrop: Remembered

  init(_ key: QuadKey, _ plan: FramePlan) {
    self.key = key
    (self.key.texture, self.key.backdrop) = (.none, .none)
    texture = Self.remember(key.texture, plan)
    backdrop = Self.remember(key.backdrop, plan)
  }

  private static func remember(_ texture: TextureReference, _ plan: FramePlan) -> Remembered {
    switch texture {
    case .none: .none
    case .image(let index):
      if let revision = plan.images[Int(index)].revision {
        .stream(revision.stream)
      } else {
        .image(plan.images[Int(index)].identity)
      }
    case .target(let index): .target(plan.targets[Int(index)].identity)
    case .output: .output
    case .history: .history
    }
  }
}

/// A pass as it was last drawn, kept to tell what of it is another in the next frame.
struct PassMemory {
  var size: PixelSize
  var clearColor: PremultipliedColor
  var keys: [RememberedKey] = []
  /// By key: which picture of a stream was shown; 0 for other textures.
  var revisions: [UInt64] = []
  var quads = QuadList()
  /// How many quads had been drawn each time that it was looked at.
  var looks: [Int] = []
  /// For a pass that is made of such a look, the how-manieth it is; else -1.
  var look: Int32 = -1
}

/// Which target of the frame before holds what.
struct TargetMemory {
  /// The target of what, and the how-manieth of that.
  private struct Place: Hashable {
    var name: TargetName
    var ordinal: Int32
  }
  private struct Entry {
    var place: Place
    var identity: UInt64
    var size: PixelSize
    var mipLevels: Int
    var pass: PassMemory?
  }

  /// By the plan's indices: of the frame before, and of the one in hand.
  private var old: [Entry] = []
  private var entries: [Entry] = []
  /// Where in `old` a target is.
  private var known: [Place: Int32] = [:]
  private var counts: [TargetName: Int32] = [:]
  private var lastIdentity: UInt64 = 0
  private(set) var damage: [Damage] = []
  private var output: PassMemory?
  private(set) var outputDamage = Damage.everything

  mutating func forget() {
    entries.removeAll(keepingCapacity: true)
    output = nil
  }

  /// Begins a frame whose targets are yet to be added.
  mutating func beginFrame() {
    swap(&old, &entries)
    entries.removeAll(keepingCapacity: true)
    known.removeAll(keepingCapacity: true)
    for (index, entry) in old.enumerated() { known[entry.place] = Int32(index) }
    counts.removeAll(keepingCapacity: true)
    damage.removeAll(keepingCapacity: true)
    outputDamage = .everything
  }

  /// Begins a frame that has the targets of the one before, none of which is damaged yet.
  mutating func beginSameFrame() {
    for index in damage.indices { damage[index] = Damage() }
    outputDamage = Damage()
  }

  /// The target's identity: that of the frame before if it is as large.
  mutating func add(_ target: Target) -> UInt64 {
    let ordinal = counts[target.name, default: 0]
    counts[target.name] = ordinal + 1
    let place = Place(name: target.name, ordinal: ordinal)
    damage.append(.everything)
    if target.historyKey == nil, let index = known[place], old[Int(index)].size == target.size,
      old[Int(index)].mipLevels == target.mipLevels
    {
      entries.append(old[Int(index)])
      // Its quads have one owner, so that none is ever copied.
      old[Int(index)].pass = nil
      return entries[entries.count - 1].identity
    }
    lastIdentity += 1
    entries.append(Entry(place: place, identity: lastIdentity, size: target.size, mipLevels: target.mipLevels))
    return lastIdentity
  }

  /// Takes the pass of a target out, to be compared.
  mutating func take(_ target: TargetReference) -> PassMemory? {
    var pass: PassMemory?
    switch target {
    case .output: swap(&pass, &output)
    case .target(let index): swap(&pass, &entries[Int(index)].pass)
    }
    return pass
  }

  func pass(of target: TargetReference) -> PassMemory? {
    switch target {
    case .output: output
    case .target(let index): entries[Int(index)].pass
    }
  }

  mutating func keep(_ pass: PassMemory, of target: TargetReference) {
    switch target {
    case .output: output = pass
    case .target(let index): entries[Int(index)].pass = pass
    }
  }

  func damage(of target: TargetReference) -> Damage {
    switch target {
    case .output: outputDamage
    case .target(let index): damage[Int(index)]
    }
  }

  mutating func setDamage(_ value: Damage, of target: TargetReference) {
    switch target {
    case .output: outputDamage = value
    case .target(let index): damage[Int(index)] = value
    }
  }
}
