/// The GPU and its driver, by what GL says of them.
public struct GPUDescription: Sendable, Hashable {
  public var vendor: String
  public var renderer: String
  /// GL's version string.
  public var version: String
  /// The GPU is the CPU.
  public var isSoftware: Bool
  /// `Mesa 22.3.6`, `NVIDIA 550.54.15`: what follows GL's own version.
  public var driver: String
  public var mesa: String?
  public var llvm: String?
  /// Width of the vectors that a software renderer computes with.
  public var simdBits: Int?

  public init(vendor: String, renderer: String, version: String, isSoftware: Bool) {
    (self.vendor, self.renderer, self.version, self.isSoftware) = (vendor, renderer, version, isSoftware)
    let words = version.split(separator: " ").map(String.init)
    let number = words.firstIndex { $0.first?.isNumber == true }
    driver = number.map { words[($0 + 1)...].joined(separator: " ") } ?? ""
    mesa = Self.word(after: "Mesa", in: words)
    let parts = renderer.split { "(), ".contains($0) }.map(String.init)
    llvm = Self.word(after: "LLVM", in: parts)
    simdBits = parts.firstIndex(of: "bits").flatMap { $0 > 0 ? Int(parts[$0 - 1]) : nil }
  }

  private static func word(after name: String, in words: [String]) -> String? {
    guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
    return words[index + 1]
  }
}
