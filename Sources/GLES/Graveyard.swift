internal import CGLES
import Diagnostics

/// Where the names of GL things wait for their deletion: an object may die on any thread, its name only on GL's.
///
/// It also counts the names that live, and the bytes behind them, so that a leak shows.
final class Graveyard: Sendable {
  /// A name that GL gave, of a kind that must be deleted.
  enum Name: Sendable {
    case texture(GLuint)
    case framebuffer(GLuint)
    case buffer(GLuint)
    case vertexArray(GLuint)
    case sampler(GLuint)
    case program(GLuint)
    case query(GLuint)
    /// A sync object's address.
    case fence(UInt)
  }

  private struct State {
    var buried: [Name] = []
    /// The array of the drain before, emptied: so that a frame's deaths allocate nothing.
    var spare: [Name] = []
    var live = LiveNames()
    var isClosed = false
  }

  private let state = Guarded(State())

  var live: LiveNames { state.withLock { $0.live } }

  /// Counts a name that GL has just given.
  func enter(_ name: Name, bytes: Int = 0) {
    state.withLock { $0.live.count(name, by: 1, bytes: bytes) }
  }

  /// Counts a name's memory after it was given another amount.
  func resize(_ name: Name, from old: Int, to new: Int) {
    state.withLock { $0.live.count(name, by: 0, bytes: new - old) }
  }

  /// Takes a name whose object is gone. Any thread may.
  func bury(_ name: Name, bytes: Int = 0) {
    state.withLock { state in
      state.live.count(name, by: -1, bytes: -bytes)
      // The context is gone, and every name with it.
      if !state.isClosed { state.buried.append(name) }
    }
  }

  /// Hands every buried name to `delete`, on GL's thread.
  func drain(_ delete: (Name) -> Void) {
    var names = state.withLock { state in
      let names = state.buried
      state.buried = state.spare
      state.spare = []
      return names
    }
    guard !names.isEmpty else { return }
    for name in names { delete(name) }
    names.removeAll(keepingCapacity: true)
    state.withLock { [names] in $0.spare = names }
  }

  /// From now on names are only counted: their context is gone.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.buried = []
    }
  }
}

/// How many things of each kind live on a device, and how much memory those of variable size take.
public struct LiveNames: Sendable, Hashable {
  public private(set) var textures = 0
  public private(set) var framebuffers = 0
  public private(set) var buffers = 0
  public private(set) var vertexArrays = 0
  public private(set) var samplers = 0
  public private(set) var programs = 0
  public private(set) var queries = 0
  public private(set) var fences = 0
  public private(set) var textureBytes = 0
  public private(set) var bufferBytes = 0

  public init() {}

  public var total: Int {
    textures + framebuffers + buffers + vertexArrays + samplers + programs + queries + fences
  }

  mutating func count(_ name: Graveyard.Name, by change: Int, bytes: Int) {
    switch name {
    case .texture:
      textures += change
      textureBytes += bytes
    case .buffer:
      buffers += change
      bufferBytes += bytes
    case .framebuffer: framebuffers += change
    case .vertexArray: vertexArrays += change
    case .sampler: samplers += change
    case .program: programs += change
    case .query: queries += change
    case .fence: fences += change
    }
  }
}
