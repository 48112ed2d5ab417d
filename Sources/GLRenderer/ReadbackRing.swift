import GLES
import Geometry

/// Frames of an output on their way to memory, oldest first: no more than three, so that reading one never holds up the
/// drawing of the next. It belongs to the renderer's thread.
public struct ReadbackRing {
  public static let capacity = 3

  private var free: [PixelReadback] = []
  private var underway: [(ticket: UInt64, readback: PixelReadback)] = []

  public init() {}

  public var isEmpty: Bool { underway.isEmpty }
  public var isFull: Bool { underway.count >= Self.capacity }
  public var byteCount: Int { (free + underway.map(\.readback)).reduce(0) { $0 + $1.byteCount } }

  /// Where it is full, waits for the oldest frame.
  /// - Throws: `gl` where that does not come.
  public mutating func makeRoom(
    _ device: Device
  ) throws(RendererError) -> (ticket: UInt64, size: PixelSize, pixels: [UInt8]?)? {
    guard isFull else { return nil }
    guard let oldest = take(device, waitingNanoseconds: 2_000_000_000) else {
      throw RendererError(.gl, "the GPU has not done its work of three frames ago")
    }
    return oldest
  }

  /// Has the output's pixels, as they are after everything drawn so far, be read. Does not wait.
  /// - Precondition: it is not full; take the oldest first.
  /// - Throws: `noOutput` before the first frame, `device` without memory, `gl` where the driver refuses.
  public mutating func begin(_ ticket: UInt64, of renderer: Renderer) throws(RendererError) {
    guard let output = renderer.outputFramebuffer else {
      throw RendererError(.noOutput, "there is no output: no frame was drawn yet")
    }
    // An output that has changed its size has no use for the old room.
    free.removeAll { $0.size != output.size }
    let readback: PixelReadback
    if let known = free.popLast() {
      readback = known
    } else {
      do { readback = try renderer.device.makeReadback(output.size) } catch { throw RendererError(error) }
    }
    guard renderer.device.read(output, into: readback) else {
      throw RendererError(.gl, "the driver can't read the output's pixels")
    }
    underway.append((ticket, readback))
  }

  /// The oldest frame, where it is there by now or within the time given.
  /// - Returns: its pixels, which are nil where they were lost.
  public mutating func take(
    _ device: Device, waitingNanoseconds: UInt64
  ) -> (ticket: UInt64, size: PixelSize, pixels: [UInt8]?)? {
    guard let first = underway.first, device.isReady(first.readback, waitingNanoseconds: waitingNanoseconds) else {
      return nil
    }
    underway.removeFirst()
    let pixels = device.takePixels(of: first.readback)
    free.append(first.readback)
    return (first.ticket, first.readback.size, pixels)
  }

  /// Gives up everything, as after a loss.
  /// - Returns: whose pixels will never come.
  public mutating func removeAll() -> [UInt64] {
    defer { (free, underway) = ([], []) }
    return underway.map(\.ticket)
  }
}
