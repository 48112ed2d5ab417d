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
}

/// Which target of the frame before holds what.
struct TargetMemory {
  /// The target of what, and the how-manieth of that.
  struct Name: Hashable {
    var label: String
    var ordinal: Int
  }
  struct Entry {
    var identity: UInt64
    var size: PixelSize
    var mipLevels: Int
    var pass: PassMemory?
  }

  private var old: [Name: Entry] = [:]
  private var new: [Name: Entry] = [:]
  private var names: [Name] = []
  private var counts: [String: Int] = [:]
  private var lastIdentity: UInt64 = 0
  private(set) var damage: [Damage] = []
  private var output: PassMemory?
  private(set) var outputDamage = Damage.everything

  mutating func forget() {
    old.removeAll(keepingCapacity: true)
    output = nil
  }

  mutating func beginFrame() {
    new.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    damage.removeAll(keepingCapacity: true)
    outputDamage = .everything
  }

  /// The target's identity: that of the frame before if it is as large.
  mutating func add(_ target: Target) -> UInt64 {
    let ordinal = counts[target.label, default: 0]
    counts[target.label] = ordinal + 1
    let name = Name(label: target.label, ordinal: ordinal)
    names.append(name)
    damage.append(.everything)
    if target.historyKey == nil, let entry = old[name], entry.size == target.size, entry.mipLevels == target.mipLevels {
      new[name] = entry
      return entry.identity
    }
    lastIdentity += 1
    new[name] = Entry(identity: lastIdentity, size: target.size, mipLevels: target.mipLevels)
    return lastIdentity
  }

  mutating func endFrame() { swap(&old, &new) }

  /// Takes the pass of a target out, to be compared.
  mutating func take(_ target: TargetReference) -> PassMemory? {
    switch target {
    case .output:
      defer { output = nil }
      return output
    case .target(let index):
      defer { new[names[Int(index)]]?.pass = nil }
      return new[names[Int(index)]]?.pass
    }
  }

  mutating func keep(_ pass: PassMemory, of target: TargetReference) {
    switch target {
    case .output: output = pass
    case .target(let index): new[names[Int(index)]]?.pass = pass
    }
  }

  mutating func setDamage(_ value: Damage, of target: TargetReference) {
    switch target {
    case .output: outputDamage = value
    case .target(let index): damage[Int(index)] = value
    }
  }
}
