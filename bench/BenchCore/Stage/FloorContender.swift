import Commit
import FramePlan
import GLES
import GLRenderer
import Geometry
import Porthole

/// Strategy `floor`: the source drawn as for the portals, into a texture of the size at which they show it, and N
/// textured quads in one instanced draw call with nothing around them: no tree, no plan, no thread. What a frame of
/// portals costs beyond this is what the library adds.
final class FloorContender: Contender {
  private let device: Device
  private let renderer: Renderer
  /// The source's drawing at each frame of the orbit, worked out beforehand.
  private let plans: [FramePlan]
  private let program: Program
  private let sampler: Sampler
  private let rows: VertexArray
  private let instances: Buffer
  private let output: Framebuffer
  private let background: PremultipliedColor
  private let count: Int
  private let pixels: Int
  private let stopwatch: GPUStopwatch?
  private let places: [SuiteLayout.Place]
  private let scale: Double
  private let shape: OutputShape
  private let sourceSize: Size
  /// How far the quads have moved at a frame; nil where they stand still.
  private let shift: ((Int) -> Point)?
  /// Off, the source stands still and is drawn once.
  private let redrawsSource: Bool
  private var hasSource = false

  convenience init(
    _ key: CellKey, scene: BenchScene, shape: OutputShape, device: Device, stopwatch: GPUStopwatch?
  ) throws(BenchError) {
    let layout = SuiteLayout(key.suite, n: key.n, output: shape.size, source: scene.size)
    try self.init(
      layout.places, scale: layout.scale, scene: scene, shape: shape, device: device, stopwatch: stopwatch)
  }

  /// - Parameter scale: output points in a point of the source's picture.
  init(
    _ places: [SuiteLayout.Place], scale: Double, scene: BenchScene, shape: OutputShape, device: Device,
    stopwatch: GPUStopwatch? = nil, shift: ((Int) -> Point)? = nil, redrawsSource: Bool = true
  ) throws(BenchError) {
    self.device = device
    self.stopwatch = stopwatch
    (self.places, self.scale, self.shape, self.shift) = (places, scale, shape, shift)
    self.redrawsSource = redrawsSource
    sourceSize = scene.size
    background = scene.background.premultiplied
    count = places.count
    plans = try Self.plans(scene, scale: shape.scale * scale)
    pixels = Int(places.reduce(0) { $0 + $1.target.area } * shape.scale * shape.scale)
    do {
      renderer = try Renderer(device: device)
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
    do {
      program = try device.makeProgram(
        label: "floor", vertex: FloorShaders.vertex, fragment: FloorShaders.fragment)
      sampler = device.makeSampler(.linear)
      rows = device.makeVertexArray(rowCount: 2, label: "floor")
      instances = device.makeBuffer(label: "floor")
      let size = PixelSize(
        width: Int((Double(shape.width) * shape.scale).rounded(.up)),
        height: Int((Double(shape.height) * shape.scale).rounded(.up)))
      output = try device.makeFramebuffer(try device.makeTexture(size: size, label: "floor"))
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
    writeInstances(moved: shift?(0) ?? .zero)
    device.use(program)
    if let texture = program.uniform("u_source") { device.set(texture, unit: 0) }
  }

  deinit { renderer.shutdown() }

  func draw(frame: Int) throws(BenchError) -> DrawnFrame {
    let plan = plans[frame % plans.count]
    if let shift { writeInstances(moved: shift(frame)) }
    try enqueue(plan)
    device.finish()
    if let error = device.takeErrors().first { throw BenchError(.renderer, "the floor's drawing failed: \(error)") }
    let quads = FrameCount(passes: 1, batches: 1, quads: count, layersVisited: 0, shadedPixels: pixels)
    return DrawnFrame(count: FrameCount(plan.counters) + quads)
  }

  func gpuNanoseconds(frame: Int) throws(BenchError) -> UInt64? {
    guard let stopwatch else { return nil }
    return try stopwatch.nanoseconds { () throws(BenchError) in try enqueue(plans[frame % plans.count]) }
  }

  func picture(frame: Int) throws(BenchError) -> Image {
    _ = try draw(frame: frame)
    guard let image = Image(size: output.size, alpha: .premultiplied, pixels: device.readPixels(output)) else {
      throw BenchError(.renderer, "the floor's picture has no size")
    }
    return image
  }

  private func enqueue(_ plan: FramePlan) throws(BenchError) {
    if redrawsSource || !hasSource {
      let result: FrameResult
      do { result = try renderer.draw(plan) } catch { throw BenchError(.renderer, "\(error)") }
      guard result == .drawn else { throw BenchError(.renderer, "the floor's source was not drawn: \(result)") }
      hasSource = true
    }
    guard let source = renderer.outputTexture else {
      throw BenchError(.renderer, "the floor has no source")
    }
    device.bind(output)
    device.setViewport(output.size)
    device.clear(background)
    device.setBlending(false)
    device.use(program)
    device.bind(source, unit: 0)
    device.bind(sampler, unit: 0)
    device.drawStrips(count, rows: rows, from: instances, byteOffset: 0)
  }

  /// Plans the source alone at all frames of the orbit. Nothing is drawn for it.
  private static func plans(_ scene: BenchScene, scale: Double) throws(BenchError) -> [FramePlan] {
    let source = try scene.copy()
    let stand = Layer()
    stand.bounds = Rect(size: scene.size)
    stand.position = stand.bounds.center
    stand.addSublayer(source.root)
    do {
      let planner = try OffscreenRenderer(
        size: scene.size, scale: scale, background: scene.background, backend: .reference)
      var plans: [FramePlan] = []
      for frame in 0..<Orbit.frameCount {
        scene.move(source.spinner, to: frame)
        plans.append(try planner.plan(stand))
      }
      return plans
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
  }

  /// Two rows an instance: the quad in clip space (min x, min y, max x, max y; y down, as in every target of the
  /// library), then the same of the texture.
  private func writeInstances(moved shift: Point) {
    let picture = plans[0].outputSize
    let scale = shape.scale * self.scale
    let (width, height) = (Double(shape.width), Double(shape.height))
    let floats = places.flatMap { place -> [Float] in
      let (target, part) = (place.target.offsetBy(dx: shift.x, dy: shift.y), place.part)
      let clip = [
        target.minX / width * 2 - 1, target.minY / height * 2 - 1, target.maxX / width * 2 - 1,
        target.maxY / height * 2 - 1,
      ]
      let texture = [
        part.minX * scale / Double(picture.width), part.minY * scale / Double(picture.height),
        part.maxX * scale / Double(picture.width), part.maxY * scale / Double(picture.height),
      ]
      return (clip + texture).map { Float($0) }
    }
    floats.withUnsafeBytes { device.write($0, to: instances) }
  }
}

/// The floor's one program.
private enum FloorShaders {
  static let vertex = """
    #version 300 es
    layout(location = 0) in vec4 a_quad;     // clip space: min x, min y, max x, max y
    layout(location = 1) in vec4 a_texture;  // texture space: the same
    out vec2 v_texture;
    void main() {
      vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
      gl_Position = vec4(mix(a_quad.xy, a_quad.zw, corner), 0.0, 1.0);
      v_texture = mix(a_texture.xy, a_texture.zw, corner);
    }
    """
  static let fragment = """
    #version 300 es
    precision highp float;
    uniform sampler2D u_source;  // premultiplied
    in vec2 v_texture;
    out vec4 frag_color;         // premultiplied
    void main() { frag_color = textureLod(u_source, v_texture, 0.0); }
    """
}
