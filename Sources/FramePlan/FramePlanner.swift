import Commit
import Geometry
import RenderTree
import Synchronization

/// Turns a snapshot into a frame plan. It holds no GL and reads no clock: the same snapshots in the same order give the
/// same plans.
///
/// How it goes: the walk (`Walk.swift`) turns the drawn tree into segments of primitives and of *uses*, places where a
/// source's content shows. Outermost first, each source's uses are looked at together and become textures or are drawn
/// inline (`SourceChoice.swift`), which brings further uses. Then the passes are put in order, and the primitives
/// become instances (`Emission.swift`) in batches (`Batcher.swift`).
///
/// Each pass is compared with what was last drawn in its target (`Damage.swift`), and only what differs is drawn, of that only
/// what nothing in front hides (`Occlusion.swift`).
///
/// Where nothing has changed but layers without sublayers, the last frame's plan is gone on from (`PlanPatch.swift`): those
/// layers alone are walked, and their quads put in the place of the old.
///
/// Known downside: any other change has all of the frame planned anew.
public struct FramePlanner {
  var snapshot = Snapshot()
  var scale = 1.0
  var limits = PlanLimits(maxTextureSize: 4096)
  private(set) var space = WorkingSpace.rgba8
  private var lastLimits = PlanLimits(maxTextureSize: 4096)
  var plan = FramePlan(outputSize: PixelSize(width: 0, height: 0))

  var extents = ContentExtents()
  var clips: [Clip] = []
  var wholePictures: [WholePicture] = []
  /// What primitives refer to by index.
  var pictureEffects: [PictureEffect] = []
  var segments: [Segment] = []
  var items: [ItemLink] = []
  var primitives: [Primitive] = []
  var passes: [PassDraft] = []
  var captures: [CaptureDraft] = []
  /// The capture that passes being added are made of, or -1.
  var capturing: Int32 = -1
  var backdrops: [BackdropDraft] = []
  var captureOfGroup: [BackdropGroup: Int32] = [:]
  var uses: [Use] = []
  // What few uses have, by the uses' indices.
  var sourcePixels: [SourcePixels] = []
  var windowMatrices: [Homography] = []
  // What lets the next frame go on from this one; see `PlanPatch.swift`.
  var places: [Place] = []
  /// By node.
  var visits: [LeafVisit] = []
  /// What layers are besides, that are drawn several times.
  var furtherVisits: [LeafVisit] = []
  /// By item.
  var spans: [QuadSpan] = []
  /// The passes in the order in which they are drawn.
  var passOrder: [Int32] = []
  var choices: [ContentChoice] = []
  /// Of all choices, one choice's after the other's; and by picture the target that holds it, or -1.
  var chosen: [SourcePicture] = []
  var chosenTargets: [Int32] = []
  var patch = PatchScratch()
  var usesOfContents: [ContentUses] = []
  var usesIndex: [ContentKey: Int32] = [:]
  /// How many of the plan's reports are this frame's.
  var reportCount = 0
  var contentCosts: [ContentKey: ContentCost] = [:]
  /// Nodes that some drawn portal shows and that are not recursive: in their own place they are uses too.
  var isSharedSource: [Bool] = []
  /// Sources whose picture the next frame's portals show.
  var historyKeys: [ContentKey] = []
  /// Which bounds the kept pictures are of, by the keys that they are kept under.
  var historyBounds: (before: [UInt64: Rect], now: [UInt64: Rect]) = ([:], [:])
  var imageIndex: [UInt64: Int32] = [:]
  var ramps = GradientRamps()
  /// The pass in hand.
  var quads = QuadList()
  var batcher = Batcher()
  var memory = TargetMemory()
  var scratch = PlanScratch()
  public let options: PlanOptions
  /// Layers that stand for others: what was drawn of those is taken for what was drawn of these.
  public var aliases: [LayerID: LayerID] = [:]

  /// What the last plan was made of: if nothing differs, there is nothing to do.
  private struct Basis: Equatable {
    var version: UInt64
    var hidesSecure: Bool
    var root: LayerID?
    var size: PixelSize
    var scale: Double
    var background: PremultipliedColor
    var space: WorkingSpace
  }
  private var basis: Basis?

  /// Tells this planner's frames from those of all others.
  private let number: UInt64
  private var frame: UInt64 = 0
  /// The frame that the next one goes on from; nil where that is drawn whole.
  private var lastNumber: FrameNumber?
  private static let lastNumber = Atomic<UInt64>(0)
  private static let noSnapshot = Snapshot()

  public init(options: PlanOptions = PlanOptions()) {
    self.options = options
    batcher.options = options
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
  }

  /// Forgets what was drawn last, so that the next plan draws everything. To be called when a plan was not drawn.
  public mutating func invalidate() {
    basis = nil
    lastNumber = nil
    patch.isPossible = false
    memory.forget()
    // What is kept is still that of the frame before.
    historyBounds.now = historyBounds.before
  }

  /// The plan of a frame of `size` pixels at `scale` pixels a point. It has no passes where the output already shows
  /// this very frame.
  /// - Parameter background: encoded, whatever the space.
  public mutating func plan(
    _ snapshot: Snapshot, size: PixelSize, scale: Double, background: PremultipliedColor,
    limits: PlanLimits = PlanLimits(maxTextureSize: 4096), in space: WorkingSpace = .rgba8
  ) -> FramePlan {
    let basis = Basis(
      version: snapshot.version, hidesSecure: snapshot.hidesSecure,
      root: snapshot.hasRoot ? snapshot.nodes.first?.layer : nil, size: size, scale: scale,
      background: background, space: space)
    if basis == self.basis { return FramePlan(outputSize: size) }
    if space != self.space { change(to: space) }
    self.limits = limits
    if canGoOn(from: basis, to: snapshot), patchPlan(snapshot, clear: space.color(background)) {
      self.basis = basis
      return numbered()
    }
    begin(snapshot, size: size, scale: scale)
    let output = addPass(.output, size: size, clear: space.color(background))
    if snapshot.hasRoot {
      walkRoot(into: output)
      resolveUses()
    }
    plan.sources.removeLast(plan.sources.count - reportCount)
    finishBackdrops()
    finish()
    // A picture that shows the frame before goes on changing by itself.
    self.basis = historyKeys.isEmpty ? basis : nil
    noteWhatCanBePatched()
    return numbered()
  }

  /// Whether nothing differs from the last frame but what the snapshot says, and what lies behind all.
  private mutating func canGoOn(from new: Basis, to snapshot: Snapshot) -> Bool {
    guard var last = basis, patch.isPossible, options.reuses, lastNumber != nil, limits == lastLimits else {
      return false
    }
    patch.isSameTree = last.version == new.version
    guard patch.isSameTree || snapshot.hasChanges && last.version == snapshot.changes.since else { return false }
    last.version = new.version
    last.background = new.background
    return last == new
  }

  private mutating func numbered() -> FramePlan {
    // The snapshot is let go of, so that the tree can mend it and need not make another.
    snapshot = Self.noSnapshot
    (plan.number, plan.previous) = (nil, nil)
    if !plan.passes.isEmpty {
      plan.previous = lastNumber
      frame += 1
      lastNumber = FrameNumber(planner: number, frame: frame)
      plan.number = lastNumber
    }
    return plan
  }

  /// What was drawn before is of another kind.
  private mutating func change(to space: WorkingSpace) {
    self.space = space
    invalidate()
    ramps = GradientRamps(space)
  }

  private mutating func begin(_ snapshot: Snapshot, size: PixelSize, scale: Double) {
    self.snapshot = snapshot
    self.scale = scale
    lastLimits = limits
    plan.begin(outputSize: size)
    plan.space = space
    places.removeAll(keepingCapacity: true)
    visits.removeAll(keepingCapacity: true)
    visits.append(contentsOf: repeatElement(LeafVisit(), count: snapshot.nodes.count))
    furtherVisits.removeAll(keepingCapacity: true)
    choices.removeAll(keepingCapacity: true)
    chosen.removeAll(keepingCapacity: true)
    chosenTargets.removeAll(keepingCapacity: true)
    reportCount = 0
    patch.begin()
    clips.removeAll(keepingCapacity: true)
    wholePictures.removeAll(keepingCapacity: true)
    pictureEffects.removeAll(keepingCapacity: true)
    segments.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    primitives.removeAll(keepingCapacity: true)
    passes.removeAll(keepingCapacity: true)
    captures.removeAll(keepingCapacity: true)
    backdrops.removeAll(keepingCapacity: true)
    captureOfGroup.removeAll(keepingCapacity: true)
    uses.removeAll(keepingCapacity: true)
    sourcePixels.removeAll(keepingCapacity: true)
    windowMatrices.removeAll(keepingCapacity: true)
    // As large as they will be, and not twice that.
    uses.reserveCapacity(snapshot.portals.count)
    items.reserveCapacity(snapshot.nodes.count + snapshot.nodes.count / 8)
    usesOfContents.removeAll(keepingCapacity: true)
    usesIndex.removeAll(keepingCapacity: true)
    contentCosts.removeAll(keepingCapacity: true)
    historyKeys.removeAll(keepingCapacity: true)
    swap(&historyBounds.before, &historyBounds.now)
    historyBounds.now.removeAll(keepingCapacity: true)
    imageIndex.removeAll(keepingCapacity: true)
    ramps.beginFrame()
    batcher.beginFrame()
    memory.beginFrame()
    extents.update(snapshot, scale: scale)
    isSharedSource.removeAll(keepingCapacity: true)
    isSharedSource.append(contentsOf: repeatElement(false, count: snapshot.nodes.count))
    for portal in snapshot.portals where portal.source >= 0 && !portal.isRecursive {
      isSharedSource[Int(portal.source)] = true
    }
  }

  private mutating func walkRoot(into pass: Int32) {
    let base = Homography.scale(x: scale, y: scale)
    let root = snapshot.nodes[0]
    walk(
      0,
      WalkStart(
        matrix: root.window * base, windowMatrix: base, alpha: 1,
        clip: ClipState(scissor: PixelRect(size: passes[Int(pass)].size)), showsBack: false, isSource: false,
        context: .outside, segment: passes[Int(pass)].segment, place: -1))
  }

  // MARK: Passes and targets

  mutating func addPass(_ target: TargetReference, size: PixelSize, clear: PremultipliedColor = .clear) -> Int32 {
    let pass = Int32(passes.count)
    let segment = addSegment(pass: pass)
    passes.append(
      PassDraft(
        target: target, size: size, clearColor: clear, segment: segment, limit: PixelRect(size: size),
        capture: capturing))
    if capturing >= 0 { captures[Int(capturing)].passes.append(pass) }
    return pass
  }

  mutating func addSegment(pass: Int32) -> Int32 {
    segments.append(Segment(pass: pass))
    return Int32(segments.count - 1)
  }

  mutating func addTarget(_ target: Target) -> Int32 {
    plan.targets.append(target)
    var known = target
    if !aliases.isEmpty { known.name = target.name.renamed(aliases) }
    // Of a plan that can't be gone on from after all nothing is remembered.
    plan.targets[plan.targets.count - 1].identity = patch.isRunning ? 0 : memory.add(known)
    plan.counters.targetPixels += target.size.area
    return Int32(plan.targets.count - 1)
  }

  mutating func addClip(_ clip: Clip) -> Int32 {
    clips.append(clip)
    return Int32(clips.count - 1)
  }

  mutating func append(_ primitive: Primitive, to segment: Int32) {
    append(.primitive(addPrimitive(primitive)), to: segment)
  }

  mutating func append(_ item: Item, to segment: Int32) {
    let (s, index) = (Int(segment), Int32(items.count))
    items.append(ItemLink(item: item))
    if segments[s].last >= 0 {
      items[Int(segments[s].last)].next = index
    } else {
      segments[s].first = index
    }
    segments[s].last = index
  }

  mutating func addPrimitive(_ primitive: Primitive) -> Int32 {
    primitives.append(primitive)
    return Int32(primitives.count - 1)
  }

  mutating func imageReference(_ image: Image) -> TextureReference {
    if let known = imageIndex[image.identity] { return .image(known) }
    let index = Int32(plan.images.count)
    imageIndex[image.identity] = index
    plan.images.append(image)
    return .image(index)
  }
}
