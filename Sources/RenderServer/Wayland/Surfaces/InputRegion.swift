import Geometry
import WaylandProtocol

/// Where a surface takes part in input (`wl_region`): rectangles added and taken away, the later one counting.
package struct InputRegion: Hashable, Sendable {
  private struct Step: Hashable, Sendable {
    var rect: Rect
    var isAdded: Bool
  }
  private var steps: [Step] = []

  package static let stepLimit = 4096

  package init() {}

  /// False where there are too many to keep.
  package mutating func add(_ rect: Rect, isAdded: Bool) -> Bool {
    guard rect.width > 0, rect.height > 0 else { return true }
    // What a later one covers counts no more, so that a client which draws a region anew for ever takes no memory.
    steps.removeAll { rect.contains($0.rect) }
    guard steps.count < Self.stepLimit else { return false }
    steps.append(Step(rect: rect, isAdded: isAdded))
    return true
  }

  package func contains(_ point: Point) -> Bool {
    steps.last { $0.rect.contains(point) }?.isAdded ?? false
  }
}

/// A client's `wl_region`.
final class RegionObject: WlRegion.RequestHandler {
  private(set) var region = InputRegion()

  func destroy(_ resource: Resource<WlRegion>) throws(ProtocolViolation) {}

  func add(
    _ resource: Resource<WlRegion>, x: Int32, y: Int32, width: Int32, height: Int32
  ) throws(ProtocolViolation) {
    try change(x, y, width, height, isAdded: true)
  }

  func subtract(
    _ resource: Resource<WlRegion>, x: Int32, y: Int32, width: Int32, height: Int32
  ) throws(ProtocolViolation) {
    try change(x, y, width, height, isAdded: false)
  }

  private func change(
    _ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32, isAdded: Bool
  ) throws(ProtocolViolation) {
    let rect = Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
    guard region.add(rect, isAdded: isAdded) else {
      throw .exhausted("a region of more than \(InputRegion.stepLimit) rectangles")
    }
  }
}
