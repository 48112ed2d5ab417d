import FramePlan
import GLES
import Geometry

/// What a plan's references stand for on the device in one frame, and the few things that every frame needs.
final class FrameResources {
  /// What is sampled where there is nothing.
  let transparent: Texture
  private let nearest: Sampler
  private let linear: Sampler
  private let mirrored: Sampler
  private let trilinear: Sampler
  private let fillRows: VertexArray
  private let imageRows: VertexArray
  private let shapeRows: VertexArray
  private let colorRows: VertexArray
  private let blurRows: VertexArray
  private let blendRows: VertexArray
  private let lensRows: VertexArray
  private let edgeRows: VertexArray

  // By the plan's indices; the arrays keep their storage from frame to frame.
  private var targets: [RenderTarget] = []
  private var identities: [UInt64] = []
  /// The last frame's targets by identity: what a plan does not draw is as it was.
  private var kept: [UInt64: RenderTarget] = [:]
  private var isKeptForHistory: [Bool] = []
  private var textures: [Texture] = []
  private var imageUse: [ImageUse] = []

  private enum ImageUse: UInt8 {
    case none
    case firstLevel
    case mipLevels
  }

  init(device: Device) throws(RendererError) {
    do throws(DeviceError) {
      transparent = try device.makeTexture(size: PixelSize(width: 1, height: 1), label: "transparent")
    } catch {
      throw RendererError(error)
    }
    let texture = transparent
    [UInt8](repeating: 0, count: 4).withUnsafeBytes { device.upload($0, to: texture) }
    nearest = device.makeSampler(.nearest)
    linear = device.makeSampler(.linear)
    mirrored = device.makeSampler(.linear, beyondEdge: .mirrored)
    trilinear = device.makeSampler(.trilinear)
    func rows(_ format: InstanceFormat, _ label: String) -> VertexArray {
      device.makeVertexArray(rowCount: format.stride / 4, label: label)
    }
    fillRows = rows(.fill, "fill")
    imageRows = rows(.image, "image")
    shapeRows = rows(.shape, "shape")
    colorRows = rows(.colors, "colors")
    blurRows = rows(.blur, "blur")
    blendRows = rows(.blend, "blend")
    lensRows = rows(.lens, "lens")
    edgeRows = rows(.edge, "edge")
  }

  func sampler(_ filter: TextureFilter, isMirrored: Bool) -> Sampler {
    if isMirrored { return mirrored }
    switch filter {
    case .nearest: return nearest
    case .linear: return linear
    case .trilinear: return trilinear
    }
  }

  func rows(_ format: InstanceFormat) -> VertexArray {
    switch format {
    case .fill: fillRows
    case .image: imageRows
    case .shape: shapeRows
    case .colors: colorRows
    case .blur: blurRows
    case .blend: blendRows
    case .lens: lensRows
    case .edge: edgeRows
    }
  }

  // MARK: Targets

  var targetCount: Int { isKeptForHistory.reduce(0) { $0 + ($1 ? 0 : 1) } }

  var targetBytes: Int {
    zip(targets, isKeptForHistory).reduce(0) { $0 + ($1.1 ? 0 : $1.0.texture.byteCount) }
  }

  func target(_ index: Int) -> RenderTarget? { targets.indices ~= index ? targets[index] : nil }

  func takeTargets(_ plan: FramePlan, pool: inout TargetPool, device: Device) throws(RendererError) {
    for target in plan.targets {
      if target.identity != 0, let known = kept.removeValue(forKey: target.identity) {
        targets.append(known)
      } else {
        targets.append(
          try pool.take(
            size: target.size, format: plan.space.format, levels: target.mipLevels >= 63 ? 63 : 1 + target.mipLevels,
            label: target.label, device: device))
      }
      identities.append(target.identity)
      isKeptForHistory.append(false)
    }
  }

  /// Whether the target of this identity is as the last frame left it.
  func isKept(_ identity: UInt64) -> Bool { identity != 0 && identities.contains(identity) }

  /// Ends the frame before: its targets may be drawn into again, but for those that the history holds, and those that the
  /// next plan goes on from.
  func giveBack(to pool: inout TargetPool, frame: Int, keeping next: FramePlan? = nil) {
    let wanted = Set(next?.targets.lazy.map(\.identity) ?? [])
    for (index, target) in targets.enumerated() where !isKeptForHistory[index] {
      if identities[index] != 0, wanted.contains(identities[index]) {
        kept[identities[index]] = target
      } else {
        pool.give(target, frame: frame)
      }
    }
    if next == nil {
      for target in kept.values { pool.give(target, frame: frame) }
      kept.removeAll(keepingCapacity: true)
    }
    identities.removeAll(keepingCapacity: true)
    targets.removeAll(keepingCapacity: true)
    isKeptForHistory.removeAll(keepingCapacity: true)
    textures.removeAll(keepingCapacity: true)
  }

  /// The targets that the next frame may ask for by key. They stay readable by index as well.
  func takeHistory(_ plan: FramePlan) -> [UInt64: RenderTarget] {
    var kept: [UInt64: RenderTarget] = [:]
    for (index, target) in plan.targets.enumerated() {
      guard let key = target.historyKey, kept[key] == nil else { continue }
      kept[key] = targets[index]
      isKeptForHistory[index] = true
    }
    return kept
  }

  // MARK: Images

  /// Has every image that a batch samples ready, with mip levels where an instance asks for one.
  /// - Returns: how many were uploaded.
  func loadImages(
    _ plan: FramePlan, cache: inout ImageCache, frame: Int, device: Device
  ) throws(RendererError) -> Int {
    cache.change(to: plan.space)
    imageUse.removeAll(keepingCapacity: true)
    imageUse.append(contentsOf: repeatElement(.none, count: plan.images.count))
    for batch in plan.batches {
      guard case .image(let number) = batch.texture, batch.instanceCount > 0 else { continue }
      let index = Int(number)
      if imageUse[index] == .mipLevels { continue }
      // Levels are never taken away again, so an image that has them needs no look at its instances.
      let hasLevels = cache.hasLevels(plan.images[index], frame: frame)
      imageUse[index] = !hasLevels && Self.asksForMipLevel(batch, plan.instances) ? .mipLevels : .firstLevel
    }
    var uploads = 0
    for (index, image) in plan.images.enumerated() {
      guard imageUse[index] != .none else {
        textures.append(transparent)
        continue
      }
      let (texture, isNew) = try cache.texture(
        of: image, withMipLevels: imageUse[index] == .mipLevels, frame: frame, device: device)
      textures.append(texture ?? transparent)
      if isNew { uploads += 1 }
    }
    return uploads
  }

  /// The picture that a reference stands for; nil for none.
  func texture(_ reference: TextureReference, output: RenderTarget?, history: History) -> Texture? {
    switch reference {
    case .none: nil
    case .output: output?.texture
    case .image(let index): textures[Int(index)]
    case .target(let index): targets[Int(index)].texture
    case .history(let key): history[key] ?? transparent
    }
  }

  private static func asksForMipLevel(_ batch: Batch, _ instances: [Float]) -> Bool {
    // The level is the twelfth float of every textured format.
    let stride = batch.variant.format.stride
    guard stride > 11 else { return false }
    var index = batch.firstFloat + 11
    for _ in 0..<batch.instanceCount {
      if instances[index] > 0 { return true }
      index += stride
    }
    return false
  }
}
