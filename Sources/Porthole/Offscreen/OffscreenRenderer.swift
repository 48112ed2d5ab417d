import Commit
import FramePlan
import GLES
import GLRenderer
import Geometry
import LinuxIO
import ReferenceRenderer
import RenderTree

/// Draws layer trees into pictures, in this process and without a screen.
///
/// A frame goes one way: what changed in the layers is committed to a render tree, the tree gives a snapshot, the
/// snapshot a plan, and the plan is drawn on a render thread of the renderer's own. The same layers give the same bytes.
///
///     let renderer = try OffscreenRenderer(size: Size(width: 320, height: 240))
///     let picture = try renderer.render(root)
///
/// It belongs to the thread of its layers. Several renderers may show one tree.
public final class OffscreenRenderer {
  /// Of the output, in points.
  public var size: Size
  /// Pixels per point.
  public var scale: Double
  public var background: Color
  /// What colours are drawn and mixed in. `render` gives a picture of floats where it is of half floats, in its encoding.
  public var workingSpace = WorkingSpace.rgba8
  /// Of the next frame, in seconds of the application's clock: what animations show, and when those begin that it adds.
  public var time = 0.0
  public let backend: Backend
  /// Shows secure layers; off, placeholders stand for them, and nothing of what they draw gets into a picture.
  public var isSecure = false

  /// Nil, but for the benchmark.
  package var instruments: FrameInstruments?

  let context = LayerContext()
  private var planner = FramePlanner(options: DebugSwitches.planOptions)
  private let display: DisplayChoice
  private var stage: GLStage?
  private var reference = ReferenceRenderer()
  /// What the reference backend drew last.
  private var referencePixels = Pixels.bytes([])
  private var lastImage: Image?
  /// What the last frame that was drawn drew anew.
  public private(set) var lastDamage = FrameDamage(rects: [], size: PixelSize(width: 0, height: 0))
  /// Pictures show over themselves what was drawn anew for them: for a person who looks for needless work. `PORTHOLE_DEBUG`
  /// with `damage` begins so.
  public var showsDamage = DebugSwitches.showsDamage
  /// What the last frame took; nil before the first.
  public private(set) var lastReport: FrameReport?
  private var isClosed = false

  /// - Parameters:
  ///   - size: of the output, in points. It may be changed between frames, and so may `scale` and `background`.
  ///   - display: for GL; `automatic` takes the environment's choice or, without one, the first that works.
  /// - Throws: `noDisplay`, with every display that was tried; `failed` where the driver lacks something.
  public init(
    size: Size, scale: Double = 1, background: Color = .clear, backend: Backend = .gl,
    display: DisplayChoice = .automatic
  ) throws(OffscreenError) {
    self.size = size
    self.scale = scale
    self.background = background
    self.backend = backend
    self.display = display
    if backend == .gl { stage = try GLStage(display) }
  }

  /// With GL on a thread that others' GL is on, too, and that outlives the renderer.
  package init(
    size: Size, scale: Double, background: Color, renderThread: NamedThread
  ) throws(OffscreenError) {
    (self.size, self.scale, self.background) = (size, scale, background)
    (backend, display) = (.gl, .automatic)
    stage = try GLStage(display, on: renderThread)
  }

  deinit { close() }

  // MARK: Frames

  /// Draws a frame and reads it back: premultiplied RGBA in the working space, rows from the top. The very same image where nothing changed.
  public func render(_ root: Layer) throws(OffscreenError) -> Image {
    let report = try update(root)
    if report.result == .unchanged, let lastImage { return lastImage }
    let pixels = try stage?.pixels(in: workingSpace) ?? referencePixels
    var image = try image(pixels, size: try pixelSize(size))
    if showsDamage { image = lastDamage.overlay(on: image) }
    lastImage = image
    return image
  }

  /// Draws a frame and leaves it where it is; GL may still be at work on it.
  @discardableResult
  public func update(_ root: Layer) throws(OffscreenError) -> FrameReport {
    let changes = try commit(root)
    let pixels = try pixelSize(size)
    instruments?.begin(.resolve)
    let snapshot = context.snapshot(root: root.id, showsSecure: isSecure)
    instruments?.begin(.plan)
    let plan = planner.plan(
      snapshot, size: pixels, scale: scale, background: background.premultiplied, limits: limits, in: workingSpace)
    instruments?.begin(.draw)
    defer { instruments?.begin(nil) }
    let isUnchanged = plan.passes.isEmpty
    if !isUnchanged {
      lastImage = nil
      do throws(OffscreenError) {
        if backend == .reference {
          referencePixels = draw(snapshot, pixels, with: &reference)
        } else {
          try draw(plan, of: snapshot, pixels: pixels)
        }
      } catch {
        // The output does not show what the planner believes.
        planner.invalidate()
        throw error
      }
    }
    if !isUnchanged { lastDamage = FrameDamage(of: plan) }
    let report = FrameReport(
      result: isUnchanged ? .unchanged : .drawn, changesCommitted: changes, counters: plan.counters,
      diagnostics: snapshot.diagnostics)
    lastReport = report
    context.tellEnds()
    return report
  }

  /// As `render`, at this time and from now on.
  public func render(_ root: Layer, at time: Double) throws(OffscreenError) -> Image {
    self.time = time
    return try render(root)
  }

  /// As `update`, at this time and from now on.
  @discardableResult
  public func update(_ root: Layer, at time: Double) throws(OffscreenError) -> FrameReport {
    self.time = time
    return try update(root)
  }

  /// Takes note of what changed, and draws nothing: animations that were added begin at this time. `update` and `render` do
  /// it too. Ends are told, too.
  public func commit(_ root: Layer, at time: Double) throws(OffscreenError) {
    self.time = time
    try commit(root)
    context.tellEnds()
  }

  /// When the next frame is due if no layer is changed: `time` itself while something moves, the time at which something
  /// will begin to, nil for never. Buffers that wait for their time count.
  public var nextWake: Double? {
    guard let buffer = context.nextBuffer(after: time) else { return context.tree.nextWake }
    return context.tree.nextWake.map { min($0, buffer) } ?? buffer
  }

  /// How much of the animations that are added from now on moves.
  public var motion: MotionPolicy {
    get { context.motion }
    set { context.motion = newValue }
  }

  /// What the last frame showed of the layer; nil for a layer that was never shown.
  public func presentation(of layer: Layer) -> LayerPresentation? {
    context.tree.presentation(of: layer.id).map { LayerPresentation(layer, $0) }
  }

  /// Draws one layer alone, with its sublayers, as a portal of it shows it: its bounds fill the picture; its own
  /// position, transform and opacity, and everything around it, don't count. A portal shows what it shows in its place.
  public func render(layer: Layer) throws(OffscreenError) -> Image {
    try commit(layer, isAlone: true)
    let pixels = try pixelSize(layer.bounds.standardized.size)
    var tree = context.tree
    let window = try tree.isolate(layer)
    let snapshot = tree.snapshot(root: window, showsSecure: isSecure)
    if backend == .reference {
      var reference = ReferenceRenderer()
      return try image(draw(snapshot, pixels, with: &reference), size: pixels)
    }
    var planner = FramePlanner()
    let plan = planner.plan(
      snapshot, size: pixels, scale: scale, background: background.premultiplied, limits: limits, in: workingSpace)
    let stage = try openStage()
    try require(try stage.draw(plan, into: .alone))
    return try image(try stage.pixels(of: .alone, in: workingSpace), size: pixels)
  }

  /// The plan of a frame that draws everything, for a person to read and for tests; nothing is drawn. `name(of:)` gives
  /// its layers their names.
  public func plan(_ root: Layer) throws(OffscreenError) -> FramePlan {
    var planner = FramePlanner()
    return try plan(root, with: &planner)
  }

  /// The plan of the next frame of a planner that has planned others.
  func plan(_ root: Layer, with planner: inout FramePlanner) throws(OffscreenError) -> FramePlan {
    try commit(root)
    return planner.plan(
      context.snapshot(root: root.id, showsSecure: isSecure), size: try pixelSize(size), scale: scale,
      background: background.premultiplied, limits: limits, in: workingSpace)
  }

  /// The frontmost layer at `point`, in points of the output: through a portal that forwards, the portal first and then
  /// the layer inside its source. Empty where nothing is hit.
  public func hitTest(_ point: Point, in root: Layer) throws(OffscreenError) -> [Hit] {
    try commit(root)
    // A hit test shows nothing.
    return context.snapshot(root: root.id, showsSecure: true).hitTest(point).compactMap { link in
      context.layer(link.layer).map { Hit(layer: $0, point: link.point, isPortal: link.isPortal) }
    }
  }

  /// Waits until the GPU has done everything.
  public func finish() {
    instruments?.begin(.finish)
    stage?.finish()
    instruments?.begin(nil)
  }

  /// Ends the render thread and lets go of the layers. Everything but `close` throws after it.
  public func close() {
    isClosed = true
    stage?.close()
    stage = nil
    lastImage = nil
    referencePixels = .bytes([])
    context.close()
  }

  // MARK: What it knows

  /// The device that draws; nil for the reference backend and after `close`.
  public var device: DeviceReport? { stage?.report }

  /// What is held on the device; nil for the reference backend and after `close`.
  public var memory: RendererMemory? { stage?.memory }

  /// Bytes of the GPU's memory that hold where quads lie.
  package var instanceBytes: Int { stage?.instanceBytes ?? 0 }

  /// How many layers the render tree holds: as many as live of those that were ever shown.
  public var layerCount: Int { context.tree.layerCount }

  /// The layer that a plan or a diagnostic names, while it lives; nil for one that was never shown.
  public func layer(_ id: LayerID) -> Layer? { context.layer(id) }

  /// What the layer is called in plans: its name, or its number in words.
  public func name(of layer: LayerID) -> String { context.label(layer) }

  /// Counts the frames in which what `layer` and its sublayers show changed; nil for a layer that was never shown.
  public func contentVersion(of layer: Layer) -> UInt64? { context.tree.contentVersion(of: layer.id) }

  /// How long before the last frame what `layer` and its sublayers show changed, in seconds; nil for a layer that was never
  /// shown.
  public func contentAge(of layer: Layer) -> Double? { context.tree.contentAge(of: layer.id) }

  // MARK: Steps of a frame

  @discardableResult
  private func commit(_ root: Layer, isAlone: Bool = false) throws(OffscreenError) -> Int {
    guard !isClosed else { throw OffscreenError(.closed, "the renderer was closed; make a new one") }
    instruments?.begin(.apply)
    context.attach(root)
    context.show(Showing(root: root.id, scale: scale, isAlone: isAlone, size: isAlone ? nil : size), for: self)
    context.showSurfaces(at: time)
    // Animations that are added begin now, at what is shown now.
    instruments?.begin(.animate)
    context.advance(to: time)
    instruments?.begin(.apply)
    do {
      return try context.flush()
    } catch {
      throw OffscreenError(error, label: context.label(error.layer))
    }
  }

  private var limits: PlanLimits { PlanLimits(maxTextureSize: stage?.longestSide ?? SceneFile.longestSide) }

  private func pixelSize(_ size: Size) throws(OffscreenError) -> PixelSize {
    try PixelSize.ofOutput(size, scale: scale, limit: limits.maxTextureSize)
  }

  private func draw(
    _ snapshot: Snapshot, _ size: PixelSize, with reference: inout ReferenceRenderer
  ) -> Pixels {
    switch workingSpace {
    case .rgba8:
      .bytes(reference.draw(snapshot, size: size, scale: scale, background: background.premultiplied))
    case .rgba16f(let blending):
      .components(
        reference.drawComponents(
          snapshot, size: size, scale: scale, background: background.premultiplied, blending: blending), blending)
    }
  }

  private func image(_ pixels: Pixels, size: PixelSize) throws(OffscreenError) -> Image {
    guard let image = pixels.image(size) else {
      throw OffscreenError(.failed, "the renderer gave too few pixels for \(size.width) × \(size.height)")
    }
    return image
  }

  private func openStage() throws(OffscreenError) -> GLStage {
    if let stage { return stage }
    let new = try GLStage(display)
    stage = new
    return new
  }

  /// Draws on the device; on a new one, once, if it was lost.
  private func draw(_ plan: FramePlan, of snapshot: Snapshot, pixels: PixelSize) throws(OffscreenError) {
    let result = try drawOnce(plan, of: snapshot)
    guard result == .deviceLost else { return try require(result) }
    stage?.close()
    stage = nil
    // What the lost device kept of the last frame is gone: this one is drawn whole.
    planner.invalidate()
    let whole = planner.plan(
      snapshot, size: pixels, scale: scale, background: background.premultiplied, limits: limits, in: workingSpace)
    try require(try openStage().draw(whole))
  }

  private func drawOnce(_ plan: FramePlan, of snapshot: Snapshot) throws(OffscreenError) -> FrameResult {
    guard let instruments, let clock = instruments.passClock else { return try openStage().draw(plan) }
    let start = clock()
    let (result, ends) = try openStage().draw(plan, clock: clock)
    instruments.note(ends, since: start, of: plan) { target in
      switch target {
      case .output: "output"
      case .target(let index):
        switch plan.targets[Int(index)].name {
        case .source(let layer): "source \(context.label(layer))"
        case .group(let layer): "group \(context.label(layer))"
        case .mask(let layer): "mask \(context.label(layer))"
        case .history(let layer): "history \(context.label(layer))"
        case .behindBlended, .backdrop, .named: plan.targets[Int(index)].label
        }
      }
    }
    instruments.shares = planner.shares(of: snapshot)
    return result
  }

  private func require(_ result: FrameResult) throws(OffscreenError) {
    switch result {
    case .drawn, .unchanged: break
    case .deviceLost:
      throw OffscreenError(
        .deviceLost, "the GPU was lost while it drew; try again, or set PORTHOLE_DISPLAY=surfaceless")
    case .skipped(let reason): throw OffscreenError(.failed, "the frame was not drawn: \(reason)")
    }
  }
}
