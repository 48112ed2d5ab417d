import FramePlan
import GLES
import Geometry
import Shaderset

/// The compiled program of every shader variant.
struct ProgramLibrary {
  /// A program and what is known of its uniforms.
  final class Entry {
    let program: Program
    private let targetSize: Program.Uniform?
    /// As last set; a program keeps its uniforms.
    private var size = PixelSize(width: 0, height: 0)

    init(program: Program, device: Device) {
      self.program = program
      targetSize = program.uniform("u_target_size")
      if let texture = program.uniform("u_texture") {
        device.use(program)
        device.set(texture, unit: 0)
      }
      if let backdrop = program.uniform("u_backdrop") {
        device.use(program)
        device.set(backdrop, unit: 1)
      }
    }

    /// Has the device draw with it, into a target of this size.
    func use(on device: Device, targetSize size: PixelSize) {
      device.use(program)
      guard size != self.size, let targetSize else { return }
      device.set(targetSize, Float(size.width), Float(size.height))
      self.size = size
    }
  }

  /// By `index(of:)`.
  private var entries: [Entry]

  /// Compiles all variants. A failure names the variant, with the compiler's log and the line.
  init(_ sources: [ShaderProgramSource], device: Device) throws(RendererError) {
    entries = []
    try add(ShaderVariant.all, sources, device: device)
  }

  /// Compiles what extended working spaces need besides, once.
  mutating func addExtended(_ sources: [ShaderProgramSource], device: Device) throws(RendererError) {
    guard entries.count == ShaderVariant.all.count else { return }
    try add(ShaderVariant.extended, sources, device: device)
  }

  private mutating func add(
    _ variants: [ShaderVariant], _ sources: [ShaderProgramSource], device: Device
  ) throws(RendererError) {
    var entries = entries
    for variant in variants {
      guard let source = sources.first(where: { $0.name == variant.name }) else {
        throw RendererError(.shader, "there is no shader for the variant \(variant.name)")
      }
      do throws(DeviceError) {
        let program = try device.makeProgram(
          label: variant.name, vertex: source.vertex, fragment: source.fragment)
        entries.append(Entry(program: program, device: device))
      } catch {
        throw RendererError(error)
      }
    }
    self.entries = entries
  }

  subscript(variant: ShaderVariant) -> Entry { entries[Self.index(of: variant)] }

  /// The place in `ShaderVariant.all`, or after those in `extended`, found without a search.
  private static func index(of variant: ShaderVariant) -> Int {
    switch variant.format {
    case .fill: 0
    case .image: 1
    case .shape:
      switch variant.curve {
      case .none: 2 + (variant.isTextured ? 2 : 0) + (variant.isClipped ? 1 : 0)
      case .radial: 8 + (variant.isClipped ? 1 : 0)
      case .conic: 10 + (variant.isClipped ? 1 : 0)
      }
    case .colors:
      switch variant.range {
      case .unit: 6
      case .extended: 18
      case .linear: 19
      }
    case .blur: 7
    case .blend: variant.range == .unit ? 12 : 20
    case .lens: 13
    case .edge: 14 + (variant.isTextured ? 2 : 0) + (variant.isRounded ? 1 : 0)
    }
  }
}
