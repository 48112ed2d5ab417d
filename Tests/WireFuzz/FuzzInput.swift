/// What a bad client does, step by step; kept as bytes so that it can be done again.
struct FuzzInput: Hashable {
  /// What a descriptor that is sent along leads to.
  enum Descriptor: UInt8, CaseIterable, Hashable {
    case sealedMemory, unsealedMemory, shrunkMemory, emptyMemory
    case pipe, pipeWithoutReader, readEnd, socket, fullPipe, null, folder
    /// Passes for a dma-buf where the tests' driver is preloaded.
    case driversMemory
  }

  enum Step: Hashable {
    /// Bytes, cut into messages as they may be, with descriptors alongside.
    case send([UInt8], [Descriptor])
    /// Lets the server take so many turns.
    case turns(UInt8)
    /// Takes in what the server has said; without it, the client does not read.
    case read
  }

  var steps: [Step] = []

  static let longest = 1 << 20

  var bytes: [UInt8] {
    var result: [UInt8] = []
    for step in steps {
      switch step {
      case .send(let bytes, let descriptors):
        result.append(0)
        result.append(UInt8(truncatingIfNeeded: descriptors.count))
        result += descriptors.map(\.rawValue)
        for shift in [0, 8, 16, 24] { result.append(UInt8(truncatingIfNeeded: bytes.count >> shift)) }
        result += bytes
      case .turns(let count): result += [1, count]
      case .read: result.append(2)
      }
    }
    return result
  }

  init() {}

  /// Takes what it can of any bytes.
  init(_ bytes: [UInt8]) {
    var rest = bytes.prefix(Self.longest)
    while let kind = rest.popFirst() {
      switch kind % 3 {
      case 0:
        let all = Descriptor.allCases
        let count = Int(rest.popFirst() ?? 0) % 29
        let descriptors = rest.prefix(count).map { all[Int($0) % all.count] }
        rest = rest.dropFirst(count)
        let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(4)
        steps.append(.send(Array(rest.prefix(length)), descriptors))
        rest = rest.dropFirst(length)
      case 1: steps.append(.turns(rest.popFirst() ?? 1))
      default: steps.append(.read)
      }
    }
  }
}
