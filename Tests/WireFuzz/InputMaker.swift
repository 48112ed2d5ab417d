import CWayland
import CWaylandShim
import TestSupport
import WaylandProtocol

/// Makes inputs that mostly obey the protocol, from libwayland's own tables of it: every request of every object that the
/// client has, with numbers that are likely to matter.
struct InputMaker {
  private struct Object {
    var id: UInt32
    var table: UnsafePointer<wl_interface>
    var name: String
  }

  private var random: SeededGenerator
  private var objects: [Object] = []
  private var nextID: UInt32 = 2
  private var message: [UInt8] = []
  private var descriptors: [FuzzInput.Descriptor] = []

  /// The server takes them from programs.
  private let withDmaBuffers: Bool

  init(_ random: SeededGenerator, withDmaBuffers: Bool) {
    self.random = random
    self.withDmaBuffers = withDmaBuffers
  }

  mutating func input() -> FuzzInput {
    var input = FuzzInput()
    objects = [Object(id: 1, table: WlDisplay.table, name: "wl_display")]
    nextID = 3
    // The registry, and the globals by the numbers that libwayland gives them.
    append([1, 12 << 16 | 1, 2], &input)
    if random.chance(70) { bind(PortholeV1.table, number: 1, &input) }
    if random.chance(60) { bind(PortholeInspectorV1.table, number: 2, &input) }
    if random.chance(50) {
      for (index, global) in compositorGlobals.enumerated() where index < 3 || random.chance(60) {
        bind(global.table, number: 3 + UInt32(index), version: global.version, &input)
      }
    }
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      let object = random.chance(40) ? objects[min(1, objects.count - 1)] : random.pick(objects)
      request(of: object, &input)
      if random.chance(20) { input.steps.append(.turns(UInt8.random(in: 1...3, using: &random))) }
      if random.chance(15) { input.steps.append(.read) }
    }
    return input
  }

  /// What the server offers to programs that know nothing of portals, in the order in which it does.
  private var compositorGlobals: [(table: UnsafePointer<wl_interface>, version: UInt32)] {
    let always: [(table: UnsafePointer<wl_interface>, version: UInt32)] = [
      (WlCompositor.table, 4), (WlSubcompositor.table, 1), (WlShm.table, 1), (WpViewporter.table, 1),
      (WpPresentation.table, 1), (WlOutput.table, 4), (ZxdgOutputManagerV1.table, 3), (XdgWmBase.table, 3),
      (ZxdgDecorationManagerV1.table, 1), (WlSeat.table, 7), (WlDataDeviceManager.table, 3), (XdgActivationV1.table, 1),
      (ZwpPrimarySelectionDeviceManagerV1.table, 1),
    ]
    return withDmaBuffers ? always + [(ZwpLinuxDmabufV1.table, 3)] : always
  }

  private mutating func bind(
    _ table: UnsafePointer<wl_interface>, number: UInt32, version: UInt32 = 1, _ input: inout FuzzInput
  ) {
    let name = String(cString: table.pointee.name)
    message = []
    put(number)
    putString(Array(name.utf8))
    put(version)
    put(nextID)
    send(to: 2, opcode: 0, &input)
    objects.append(Object(id: nextID, table: table, name: name))
    nextID += 1
  }

  private mutating func request(of object: Object, _ input: inout FuzzInput) {
    let count = Int(object.table.pointee.method_count)
    guard count > 0 else { return }
    let opcode = Int.random(in: 0..<count, using: &random)
    guard let method = object.table.pointee.methods?[opcode] else { return }
    let name = String(cString: method.name)
    // What ends everything early is not asked for often.
    if name == "destroy", object.id < 8, !random.chance(5) { return }
    message = []
    descriptors = []
    var made: [Object] = []
    var index = 0
    let isPlane = object.name == String(cString: ZwpLinuxBufferParamsV1.table.pointee.name)
    let numbers = isPlane ? planeNumbers(name) : likelyNumbers(name)
    for letter in String(cString: method.signature).unicodeScalars {
      switch letter {
      case "u", "i": put(index < numbers.count && random.chance(85) ? numbers[index] : number())
      case "f": put(number())
      case "s": putString(text())
      case "a": putArray(array(name))
      case "h":
        descriptors.append(
          isPlane && random.chance(85)
            ? .driversMemory
            : name == "create_pool"
              ? random.pick([.sealedMemory, .sealedMemory, .unsealedMemory, .shrunkMemory])
              : random.pick(FuzzInput.Descriptor.allCases))
        index -= 1
      case "o": put(target(method.types?[index]))
      case "n":
        if let table = method.types?[index] {
          made.append(Object(id: nextID, table: table, name: String(cString: table.pointee.name)))
        }
        put(nextID)
        nextID += 1
      default: continue
      }
      index += 1
    }
    send(to: object.id, opcode: UInt32(opcode), &input)
    objects += made
    if name == "destroy" { objects.removeAll { $0.id == object.id } }
  }

  /// By place among all arguments; what most calls have to say for something to happen.
  private mutating func likelyNumbers(_ name: String) -> [UInt32] {
    func side(_ random: inout SeededGenerator) -> UInt32 { UInt32.random(in: 1...16, using: &random) }
    let (w, h) = (side(&random), side(&random))
    switch name {
    case "create_buffer":
      return [0, random.pick([0, 4, 64]), w, h, w * 4, random.pick([0, 1]), random.pick([0, 1, 2])]
    case "create_pool": return [0, random.pick([4096, 1024, 8192])]
    case "create_output": return [0, w * 4, h * 4, 0, random.pick([0, 60_000, 240_000]), 0]
    case "set_mode": return [w * 4, h * 4, 0, random.pick([0, 30_000])]
    case "create_layer": return [0, random.pick([0, 0, 1, 2])]
    case "set_buffer_scale": return [random.pick([1, 1, 2])]
    case "set_buffer_transform": return [UInt32.random(in: 0...7, using: &random)]
    case "set_size", "set_destination": return [w, h]
    case "set_anchor_rect", "set_window_geometry": return [random.pick([0, 3]), random.pick([0, 2]), w, h]
    case "set_anchor", "set_gravity": return [UInt32.random(in: 0...8, using: &random)]
    case "ack_configure": return [UInt32.random(in: 1...8, using: &random)]
    case "attach": return [0, 0, 0]
    case "damage", "damage_buffer", "add", "subtract": return [random.pick([0, 1]), random.pick([0, 1]), w, h]
    case "capture", "import_exported":
      return [0, random.pick([0, 1]), random.pick([0, 1, 2, 3]), random.pick([1, 2, 3]), 0, random.pick([0, 1])]
    default: return []
    }
  }

  /// What a dma-buf's planes have to be for something to happen.
  private mutating func planeNumbers(_ name: String) -> [UInt32] {
    let size: [UInt32] = [random.pick([4, 16, 16, 16, 1000]), random.pick([1, 4, 16, 16])]
    let last: [UInt32] = [
      random.pick([0x3432_5241, 0x3432_5241, 0x3432_4258, 0x3432_3459]), random.pick([0, 0, 0, 1]),
    ]
    switch name {
    // The descriptor and the new object have places of their own.
    case "add":
      return [random.pick([0, 0, 0, 1]), random.pick([0, 0, 4, 256]), random.pick([64, 64, 16, 4000]), 0, 0]
    case "create": return size + last
    case "create_immed": return [0] + size + last
    default: return []
    }
  }

  private mutating func number() -> UInt32 {
    random.pick([
      0, 0, 1, 1, 2, 3, 4, 5, 7, 8, 16, 63, 64, 255, 4096, 16384, 65536, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
      UInt32.random(in: 0...UInt32.max, using: &random),
    ])
  }

  private mutating func target(_ table: UnsafePointer<wl_interface>?) -> UInt32 {
    if random.chance(4) { return random.pick([0, 1, nextID, 0xFF00_0000, UInt32.random(in: 0...100, using: &random)]) }
    let fitting = objects.filter { table == nil || $0.table == table }
    return fitting.isEmpty ? 0 : random.pick(fitting).id
  }

  private mutating func text() -> [UInt8] {
    let length = random.pick([0, 1, 5, 30, 255, 256, 1000])
    return (0..<length).map { _ in UInt8.random(in: 1...255, using: &random) }
  }

  // MARK: Arrays

  private mutating func array(_ name: String) -> [UInt8] {
    if random.chance(5) {
      return (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    switch name {
    case "set": return records()
    case "add_animation": return animation(depth: 0)
    case "import_layer": return (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    case "hit_test": return doubles(2)
    case "set_background": return doubles(4)
    default: return random.chance(80) ? bytes(of: [random.pick([1, 2, 0.5])]) : doubles(1)
    }
  }

  private static let counts: [UInt32: [Int]] = [
    1: [4], 2: [2], 3: [1], 4: [2], 5: [1], 6: [16], 7: [16], 8: [1], 16: [1], 17: [1], 18: [1], 19: [1], 20: [4],
    21: [1], 22: [1], 23: [1], 24: [4], 32: [4], 33: [1], 34: [1], 35: [1], 36: [0, 10, 15], 37: [0, 2, 4, 21], 48: [1],
    64: [1], 65: [1], 66: [1], 67: [1], 68: [1], 69: [1], 70: [0, 4], 71: [2], 72: [1], 73: [1], 74: [1],
  ]

  private mutating func records() -> [UInt8] {
    var result: [UInt8] = []
    let keys = Self.counts.keys.sorted()
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let key = random.chance(3) ? number() : random.pick(keys)
      let count = random.chance(3) ? Int.random(in: 0...20, using: &random) : random.pick(Self.counts[key] ?? [1])
      for word in [key, UInt32(count)] { withUnsafeBytes(of: word.littleEndian) { result += $0 } }
      result += doubles(count)
    }
    return result
  }

  /// One that reads well, more often than not.
  private mutating func animation(depth: Int) -> [UInt8] {
    let kind = depth < 9 && random.chance(15) ? 0 : random.pick([1, 1, 2, 3])
    var result = bytes(of: [Double(kind), random.pick([0, 1, 2, 3, 4, 7]), random.pick([0, 1, 2, 3])])
    // Begin, duration, speed, offset, repetitions; then the curve.
    result += bytes(of: [0, random.pick([0.01, 0.5, 0, 4]), random.pick([1, 1, 2, -1, 0]), 0])
    result += random.chance(80) ? bytes(of: [random.pick([0, 2, .infinity]), 0]) : doubles(2)
    result += random.chance(80) ? bytes(of: [0.25, 0.1, 0.25, 1]) : doubles(4)
    if kind == 0 {
      let count = random.pick([0, 1, 2])
      result += bytes(of: [Double(count)])
      for _ in 0..<count { result += animation(depth: depth + 1) }
      return result
    }
    // Property and how many numbers a value of it has.
    let (property, width) = random.pick([(1.0, 2), (8, 1), (5, 16), (0, 4), (9, 4), (19, 1), (26, 1), (18, 2)])
    result += bytes(of: [random.chance(3) ? Double(number()) : property, random.chance(5) ? 1 : 0, 0])
    if kind == 2 { result += random.chance(80) ? bytes(of: [1, 100, 10, 0]) : doubles(4) }
    if kind == 3 {
      let values = random.pick([1, 2, 3])
      result += bytes(of: [random.pick([0, 1, 2, 3, 4]), Double(values), 0, 0])
      for _ in 0..<values { result += doubles(width) }
      return result
    }
    let given = random.pick([0, 1, 2, 3, 4, 7])
    result += bytes(of: [Double(given)])
    for bit in [1, 2, 4] where given & bit != 0 { result += doubles(width) }
    return result
  }

  private mutating func doubles(_ count: Int) -> [UInt8] {
    let odd = random.chance(10)
    return bytes(
      of: (0..<count).map { _ in
        odd
          ? random.pick([
            .nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, -0.0, 1e18, Double(Int.max), -1,
          ])
          : random.pick([0, 0, 1, 1, 2, 3, 10, 40, 0.5, 0.25, -3])
      })
  }

  private func bytes(of numbers: [Double]) -> [UInt8] {
    var result: [UInt8] = []
    for number in numbers { withUnsafeBytes(of: number.bitPattern.littleEndian) { result += $0 } }
    return result
  }

  // MARK: Messages

  private mutating func put(_ word: UInt32) { withUnsafeBytes(of: word) { message += $0 } }

  private mutating func putString(_ text: [UInt8]) {
    put(UInt32(text.count + 1))
    message += text + [0]
    while message.count % 4 != 0 { message.append(0) }
  }

  private mutating func putArray(_ bytes: [UInt8]) {
    put(UInt32(bytes.count))
    message += bytes
    while message.count % 4 != 0 { message.append(0) }
  }

  private mutating func send(to object: UInt32, opcode: UInt32, _ input: inout FuzzInput) {
    let body = message
    message = []
    put(object)
    put(UInt32(truncatingIfNeeded: body.count + 8) << 16 | opcode)
    input.steps.append(.send(message + body, descriptors))
    descriptors = []
  }

  private mutating func append(_ words: [UInt32], _ input: inout FuzzInput) {
    message = []
    for word in words { put(word) }
    input.steps.append(.send(message, []))
  }
}
