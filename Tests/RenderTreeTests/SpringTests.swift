import Commit
import Foundation
import TestSupport
import Testing

@Suite("Springs")
struct SpringTests {
  /// By small steps of the equation of motion, fourth order: knows no formula.
  private func integrate(_ spring: Spring, distance: Double, velocity: Double, until end: Double) -> Double {
    let steps = 20_000
    let h = end / Double(steps)
    var (x, v) = (distance, velocity)
    func pull(_ x: Double, _ v: Double) -> Double { (-spring.stiffness * x - spring.damping * v) / spring.mass }
    for _ in 0..<steps {
      let (k1, l1) = (v, pull(x, v))
      let (k2, l2) = (v + h / 2 * l1, pull(x + h / 2 * k1, v + h / 2 * l1))
      let (k3, l3) = (v + h / 2 * l2, pull(x + h / 2 * k2, v + h / 2 * l2))
      let (k4, l4) = (v + h * l3, pull(x + h * k3, v + h * l3))
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
      v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    }
    return x
  }

  @Test("whatever its damping, a spring moves as its equation says")
  func equation() {
    var random = SeededGenerator(seed: 1)
    var springs = [
      // Critical, and nearly so on either side.
      Spring(mass: 1, stiffness: 100, damping: 20), Spring(mass: 1, stiffness: 100, damping: 20.000001),
      Spring(mass: 1, stiffness: 100, damping: 19.999999), Spring(mass: 2, stiffness: 50, damping: 400),
    ]
    for _ in 0..<12 {
      springs.append(
        Spring(mass: random.real(0.5...3), stiffness: random.real(10...400), damping: random.real(1...80)))
    }
    for spring in springs {
      let time = random.real(0.05...1.5)
      let response = spring.response(at: time)
      let distance = integrate(spring, distance: 1, velocity: 0, until: time)
      let thrown = integrate(spring, distance: 0, velocity: 1, until: time)
      #expect(abs(response.distance - distance) < 1e-9, "\(spring) at \(time)")
      #expect(abs(response.velocity - thrown) < 1e-9, "\(spring) at \(time)")
    }
  }

  @Test("the closed form of a swinging spring")
  func closedForm() {
    let spring = Spring(mass: 1, stiffness: 170, damping: 12)
    let (decay, turns) = (6.0, (170.0 - 36).squareRoot())
    for time in [0, 0.01, 0.2, 0.7, 2] {
      let wanted = exp(-decay * time) * (cos(turns * time) + decay / turns * sin(turns * time))
      #expect(abs(spring.response(at: time).distance - wanted) < 1e-14)
    }
  }

  @Test("after its settling duration it stays within a ten-thousandth, and not long before")
  func settling() {
    for spring in [
      Spring(), Spring(damping: 20), Spring(damping: 60), Spring(mass: 1, stiffness: 300, damping: 2),
      Spring(stiffness: 100, damping: 10, initialVelocity: 30),
    ] {
      let whole = max(1, abs(spring.initialVelocity) / (spring.stiffness / spring.mass).squareRoot())
      func rest(_ time: Double) -> Double {
        let response = spring.response(at: time)
        return abs(response.distance - spring.initialVelocity * response.velocity) / whole
      }
      let end = spring.settlingDuration
      #expect((0..<400).allSatisfy { rest(end * (1 + Double($0) / 100)) <= 1.0001e-4 })
      #expect((0..<400).contains { rest(end * (0.5 + Double($0) / 1000)) > 1e-4 }, "\(spring): \(end) is too long")
    }
    #expect(Spring(damping: 0).settlingDuration == .infinity)
  }
}
