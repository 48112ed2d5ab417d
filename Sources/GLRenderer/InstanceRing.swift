import GLES

/// Three buffers in turn for the frames' instances, so that the processor never writes what the GPU may still read.
struct InstanceRing {
  private let buffers: [Buffer]
  private var fences: [Fence?]
  private var current = 0

  init(device: Device) {
    buffers = (0..<3).map { device.makeBuffer(label: "instances \($0)") }
    fences = [nil, nil, nil]
  }

  var byteCount: Int { buffers.reduce(0) { $0 + $1.capacity } }

  /// Writes a frame's instances. Waits only where the GPU is three frames behind.
  /// - Returns: nil where the GPU did not get there in five seconds: it hangs.
  mutating func write(_ floats: [Float], device: Device) -> Buffer? {
    current = (current + 1) % buffers.count
    if let fence = fences[current] {
      guard device.wait(for: fence, timeoutNanoseconds: 5_000_000_000) else { return nil }
      fences[current] = nil
    }
    floats.withUnsafeBytes { device.write($0, to: buffers[current]) }
    return buffers[current]
  }

  /// Marks the end of the draws that read the last buffer.
  mutating func endFrame(device: Device) { fences[current] = device.makeFence() }
}
