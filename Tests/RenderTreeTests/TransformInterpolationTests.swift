import Geometry
import TestSupport
import Testing

@Suite("Between two transforms")
struct TransformInterpolationTests {
  private func distance(_ a: Transform3D, _ b: Transform3D) -> Double {
    zip(a.elements, b.elements).map { abs($0 - $1) }.max() ?? 0
  }

  private func random(_ random: inout SeededGenerator) -> Transform3D {
    let axis = (random.real(-1...1), random.real(-1...1), random.real(-1...1))
    return .scale(x: random.real(0.3...2), y: random.real(0.3...2), z: random.real(0.3...2))
      * Transform3D(m21: random.real(-1...1), m31: random.real(-1...1), m32: random.real(-1...1))
      * .rotation(angle: random.real(-3...3), x: axis.0, y: axis.1, z: axis.2)
      * .translation(x: random.real(-90...90), y: random.real(-90...90), z: random.real(-90...90))
      * .perspective(distance: random.real(200...900))
  }

  @Test("what is taken apart is put together again", arguments: 0..<50)
  func decomposition(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var transform = random(&generator)
    if generator.oneIn(3) { transform = .scale(x: -1, y: 1) * transform }
    let parts = try #require(TransformDecomposition(transform))
    let k = transform.m44
    let scaled = Transform3D(transform.elements.map { $0 / k }) ?? .identity
    #expect(distance(parts.transform, scaled) < 1e-10, "seed \(seed)")
  }

  @Test(
    "turns about one axis are angles", arguments: [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.6, 0.8, 0.0), (1.0, 1.0, 1.0)])
  func turns(x: Double, y: Double, z: Double) {
    for (from, to) in [(0, 1), (-0.5, 2.3), (3, 3.1)] {
      for progress in [0.1, 0.5, 0.9, 1.25, -0.5] {
        let mixed = Transform3D.rotation(angle: from, x: x, y: y, z: z).interpolated(
          to: .rotation(angle: to, x: x, y: y, z: z), progress)
        let wanted = Transform3D.rotation(angle: from + (to - from) * progress, x: x, y: y, z: z)
        #expect(distance(mixed, wanted) < 1e-12)
      }
    }
  }

  @Test("a turn takes the short way, in the plane and in space")
  func shortWay() {
    let degrees = Double.pi / 180
    for axis in [(0.0, 0.0, 1.0), (0.0, 1.0, 0.0)] {
      func turn(_ angle: Double) -> Transform3D { .rotation(angle: angle * degrees, x: axis.0, y: axis.1, z: axis.2) }
      #expect(distance(turn(0).interpolated(to: turn(170), 0.5), turn(85)) < 1e-12)
      #expect(distance(turn(0).interpolated(to: turn(190), 0.5), turn(-85)) < 1e-12)
      #expect(distance(turn(350).interpolated(to: turn(10), 0.5), turn(0)) < 1e-12)
    }
  }

  @Test("scales and translations go straight, and a quarter turn between them does not disturb them")
  func parts() {
    let from = Transform3D.scale(x: 1, y: 2) * .translation(x: 10, y: 20)
    let to = Transform3D.scale(x: 3, y: 2) * .rotation(angle: .pi / 2) * .translation(x: 30, y: -20)
    let wanted = Transform3D.scale(x: 2, y: 2) * .rotation(angle: .pi / 4) * .translation(x: 20, y: 0)
    #expect(distance(from.interpolated(to: to, 0.5), wanted) < 1e-12)
  }

  @Test("a mirroring in the plane stays in it, along the axis of the shorter turn")
  func mirroring() {
    for (mirrored, half) in [
      (Transform3D.scale(x: -1, y: 1), Transform3D.scale(x: 0, y: 1)),
      (Transform3D.scale(x: 1, y: -1), Transform3D.scale(x: 1, y: 0)),
    ] {
      let mixed = Transform3D.identity.interpolated(to: mirrored, 0.5)
      #expect(distance(mixed, half) < 1e-12)
      #expect(distance(mirrored.interpolated(to: .identity, 0.5), half) < 1e-12)
      #expect(mixed.isAffine2D)
    }
  }

  @Test("from and to nothing, the turn is the other's")
  func nothing() {
    let turned = Transform3D.scale(x: 2, y: 2) * .rotation(angle: 1)
    let wanted = Transform3D.rotation(angle: 1)
    #expect(distance(Transform3D.scale(x: 0, y: 0).interpolated(to: turned, 0.5), wanted) < 1e-12)
    #expect(distance(turned.interpolated(to: .scale(x: 0, y: 0), 0.5), wanted) < 1e-12)
    let space = Transform3D.rotation(angle: 1, x: 1, y: 0, z: 0)
    #expect(distance(Transform3D.scale(x: 0, y: 0, z: 0).interpolated(to: space, 1), space) < 1e-12)
  }

  @Test("perspective goes with the rest: a card turns at one distance of the eye")
  func perspective() {
    let eye = Transform3D.perspective(distance: 500)
    let from = Transform3D.rotation(angle: 0.2, x: 0, y: 1, z: 0) * eye
    let to = Transform3D.rotation(angle: 1.2, x: 0, y: 1, z: 0) * eye
    #expect(distance(from.interpolated(to: to, 0.5), .rotation(angle: 0.7, x: 0, y: 1, z: 0) * eye) < 1e-12)
  }

  @Test("the ends are the very same numbers, whatever they are", arguments: 0..<20)
  func ends(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (from, to) = (random(&generator), random(&generator))
    #expect(from.interpolated(to: to, 0) == from)
    #expect(from.interpolated(to: to, 1) == to)
  }

  @Test("what can't be taken apart changes over at the half")
  func singular() {
    let flat = Transform3D(m11: 0, m14: 0.1, m22: 0, m33: 0, m44: 1)
    #expect(flat.interpolated(to: .identity, 0.4) == flat)
    #expect(flat.interpolated(to: .identity, 0.6) == .identity)
  }

  @Test("turns about the three axes come back", arguments: 0..<20)
  func angles(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let angles = SIMD3(generator.real(-3...3), generator.real(-1.5...1.5), generator.real(-3...3))
    let back = Quaternion(angles: angles).angles
    #expect(abs(back.x - angles.x) < 1e-9 && abs(back.y - angles.y) < 1e-9 && abs(back.z - angles.z) < 1e-9)
  }
}
