import Commit
import FramePlan
import GLES
import GLRenderer
import Geometry
import LinuxIO
import Porthole
import ReferenceRenderer
import RenderTree

/// The renderers that every picture is asked of.
enum Witness: String, CaseIterable, Sendable {
  case reference, gl
}

/// Draws snapshots with either renderer. GL lives on one thread that all tests share.
final class Stage: Sendable {
  static let shared: Stage = {
    do { return try Stage() } catch { preconditionFailure("no GL for the tests: \(error)") }
  }()

  /// How far GL may be from what changes nothing: source-over in eight bits rounds an edge either way.
  static func rounding(_ witness: Witness) -> Int { witness == .reference ? 0 : 1 }

  /// Those that draw blend modes, depth, backdrops and lenses.
  static let glassWitnesses = Witness.allCases

  private let workshop: ThreadBound<Workshop>

  private final class Workshop {
    let device: Device
    let renderer: Renderer

    init() throws {
      device = try Device(display: nil)
      renderer = try Renderer(device: device)
    }
  }

  /// One of its own, for a test that draws frame after frame.
  init() throws {
    let thread = try NamedThread(name: "render")
    workshop = try ThreadBound(on: thread) { try Workshop() }
  }

  /// One frame, drawn from nothing.
  func draw(
    _ snapshot: Snapshot, _ witness: Witness, size: PixelSize, scale: Double = 1,
    background: PremultipliedColor = .clear, in space: WorkingSpace = .rgba8
  ) throws -> Image {
    try draw([snapshot], witness, size: size, scale: scale, background: background, in: space)
  }

  /// The last of some frames, the first drawn from nothing and each after the one before.
  func draw(
    _ frames: [Snapshot], _ witness: Witness, size: PixelSize, scale: Double = 1,
    background: PremultipliedColor = .clear, in space: WorkingSpace = .rgba8
  ) throws -> Image {
    if case .rgba16f(let blending) = space {
      return try drawComponents(frames, witness, size, scale, background, blending)
    }
    var pixels: [UInt8] = []
    switch witness {
    case .reference:
      var renderer = ReferenceRenderer()
      for frame in frames { pixels = renderer.draw(frame, size: size, scale: scale, background: background) }
    case .gl:
      var planner = FramePlanner()
      pixels = try draw(
        frames.map { planner.plan($0, size: size, scale: scale, background: background) })
    }
    guard let image = Image(size: size, alpha: .premultiplied, pixels: pixels) else { throw WrongSize() }
    return image
  }

  private func drawComponents(
    _ frames: [Snapshot], _ witness: Witness, _ size: PixelSize, _ scale: Double, _ background: PremultipliedColor,
    _ blending: ColorEncoding
  ) throws -> Image {
    var components: [Float] = []
    switch witness {
    case .reference:
      var renderer = ReferenceRenderer()
      for frame in frames {
        components = renderer.drawComponents(
          frame, size: size, scale: scale, background: background, blending: blending)
      }
    case .gl:
      var planner = FramePlanner()
      components = try drawComponents(
        frames.map {
          planner.plan($0, size: size, scale: scale, background: background, in: .rgba16f(blending: blending))
        })
    }
    guard let image = Image(size: size, alpha: .premultiplied, encoding: blending, components: components) else {
      throw WrongSize()
    }
    return image
  }

  /// The output after these plans of half floats, drawn by GL one after another, with or without copying what may be copied.
  func drawComponents(_ plans: [FramePlan], copies: Bool? = nil) throws -> [Float] {
    try workshop.with { workshop in
      let usual = workshop.renderer.copiesWholeTexels
      workshop.renderer.copiesWholeTexels = copies ?? usual
      defer { workshop.renderer.copiesWholeTexels = usual }
      for plan in plans {
        switch try workshop.renderer.draw(plan) {
        case .drawn, .unchanged: break
        case let other: throw NotDrawn(result: "\(other)")
        }
      }
      return try workshop.renderer.readOutputComponents()
    }
  }

  /// The output after these plans, drawn by GL one after another.
  func draw(_ plans: [FramePlan]) throws -> [UInt8] {
    try workshop.with { workshop in
      for plan in plans {
        switch try workshop.renderer.draw(plan) {
        case .drawn, .unchanged: break
        case let other: throw NotDrawn(result: "\(other)")
        }
      }
      return try workshop.renderer.readOutput()
    }
  }

  /// The output after one more plan, in which what the plan leaves out is as the one before left it.
  func drawNext(_ plan: FramePlan, copies: Bool = true) throws -> [UInt8] {
    guard !copies else { return try draw([plan]) }
    workshop.with { $0.renderer.copiesWholeTexels = false }
    return try draw([plan])
  }

  func close() { workshop.release { $0.device.shutdown() } }

  /// The output of one plan, drawn with or without copying what may be copied.
  func draw(_ plan: FramePlan, copies: Bool) throws -> [UInt8] {
    try workshop.with { workshop in
      let usual = workshop.renderer.copiesWholeTexels
      workshop.renderer.copiesWholeTexels = copies
      defer { workshop.renderer.copiesWholeTexels = usual }
      guard try workshop.renderer.draw(plan) == .drawn else { throw NotDrawn(result: "not drawn") }
      return try workshop.renderer.readOutput()
    }
  }

  struct WrongSize: Error {}
  struct NotDrawn: Error {
    var result: String
  }
}

/// Pixels that differ, and by how much at most: for a message that says more than "not equal".
struct Difference: CustomStringConvertible {
  var pixels = 0
  var largest = 0
  var first: (x: Int, y: Int, expected: [UInt8], got: [UInt8])?

  init(_ expected: Image, _ got: Image) {
    guard expected.size == got.size else {
      pixels = .max
      return
    }
    for index in stride(from: 0, to: expected.pixels.count, by: 4) {
      let (a, b) = (expected.pixels[index..<index + 4], got.pixels[index..<index + 4])
      let difference = zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
      guard difference > 0 else { continue }
      if first == nil { first = (index / 4 % expected.width, index / 4 / expected.width, Array(a), Array(b)) }
      pixels += 1
      largest = max(largest, difference)
    }
  }

  var isNone: Bool { pixels == 0 }

  var description: String {
    guard let first else { return isNone ? "equal" : "different sizes" }
    return
      "\(pixels) pixels differ, by \(largest) at most; the first at (\(first.x), \(first.y)): \(first.expected) and \(first.got)"
  }
}
