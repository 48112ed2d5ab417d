internal import CGLES

/// A mark in the GPU's work, passed when everything before it is done.
public final class Fence {
  let sync: OpaquePointer
  private let graveyard: Graveyard

  init(sync: OpaquePointer, graveyard: Graveyard) {
    self.sync = sync
    self.graveyard = graveyard
    graveyard.enter(.fence(UInt(bitPattern: sync)))
  }

  deinit { graveyard.bury(.fence(UInt(bitPattern: sync))) }
}

extension Device {
  /// Sets a mark after all work so far; nil where the driver gives none, as after a loss.
  public func makeFence() -> Fence? {
    beginCall()
    defer { endCall() }
    guard let sync = glFenceSync(GLenum(GL_SYNC_GPU_COMMANDS_COMPLETE), 0) else { return nil }
    return Fence(sync: sync, graveyard: graveyard)
  }

  /// Waits until the mark is passed. False after the time given, or where the driver fails.
  public func wait(for fence: Fence, timeoutNanoseconds: UInt64) -> Bool {
    beginCall()
    defer { endCall() }
    let result = glClientWaitSync(fence.sync, GLbitfield(GL_SYNC_FLUSH_COMMANDS_BIT), timeoutNanoseconds)
    return result == GLenum(GL_ALREADY_SIGNALED) || result == GLenum(GL_CONDITION_SATISFIED)
  }
}
