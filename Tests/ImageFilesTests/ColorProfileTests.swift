import CLCMS
import Commit
import Foundation
import Geometry
import ImageFiles
import TestSupport
import Testing

@Suite("What files say of their colours")
struct ColorProfileTests {
  // x and y of white, red, green and blue.
  private static let p3 = [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]
  private static let adobe = [0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06]
  private static let srgb = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]

  /// The bytes of an ICC profile; a gamma of 0 stands for sRGB's curve.
  private func profile(_ places: [Double], gamma: Double = 0) throws -> [UInt8] {
    let curve = try #require(
      gamma > 0
        ? cmsBuildGamma(nil, gamma)
        : cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]))
    defer { cmsFreeToneCurve(curve) }
    var white = cmsCIExyY(x: places[0], y: places[1], Y: 1)
    var primaries = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(x: places[2], y: places[3], Y: 1), Green: cmsCIExyY(x: places[4], y: places[5], Y: 1),
      Blue: cmsCIExyY(x: places[6], y: places[7], Y: 1))
    var curves: [OpaquePointer?] = [curve, curve, curve]
    let profile = try #require(cmsCreateRGBProfile(&white, &primaries, &curves))
    return try bytes(of: profile)
  }

  private func bytes(of profile: cmsHPROFILE) throws -> [UInt8] {
    defer { cmsCloseProfile(profile) }
    var count: cmsUInt32Number = 0
    try #require(cmsSaveProfileToMem(profile, nil, &count) != 0)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    try #require(cmsSaveProfileToMem(profile, &bytes, &count) != 0)
    return bytes
  }

  /// A PNG of these colours with an ICC profile, which stands there as a stored zlib stream.
  private func png(_ colors: [[UInt8]], profile: [UInt8]) -> [UInt8] {
    png(colors, extra: [("iCCP", Array("p".utf8) + [0, 0] + stored(profile))])
  }

  private func png(_ colors: [[UInt8]], extra: [(String, [UInt8])]) -> [UInt8] {
    EncodedPictures.png(
      PixelSize(width: colors.count, height: 1), depth: 8, colorType: colors[0].count == 4 ? 6 : 2,
      rows: [Array(colors.joined())], extra: extra)
  }

  private func stored(_ data: [UInt8]) -> [UInt8] {
    let (low, high) = (UInt8(data.count & 255), UInt8(data.count >> 8))
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x01, 1, low, high, ~low, ~high] + data + EncodedPictures.big(b << 16 | a)
  }

  /// From a linear colour of other primaries to sRGB's code, by the matrix between them.
  private func code(_ linear: [Double], _ matrix: [[Double]]) -> [Float] {
    matrix.map { row in
      SRGBCurve.encode(Float(zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 }))
    }
  }

  private static let fromP3 = [
    [1.224_940, -0.224_940, 0], [-0.042_057, 1.042_057, 0], [-0.019_638, -0.078_636, 1.098_274],
  ]
  private static let fromAdobe = [[1.398_357, -0.398_357, 0], [0, 1, 0], [0, -0.042_932, 1.042_932]]

  private func isNear(_ a: [Float], _ b: [Float], _ tolerance: Float) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { ($0 - $1).magnitude <= tolerance }
  }

  @Test("Display P3: what sRGB has is of eight bits, and its red, which sRGB has not, is kept beyond 1")
  func displayP3() throws {
    let profile = try profile(Self.p3)
    let grey = try PNG.decode(png([[128, 128, 128], [100, 120, 140]], profile: profile))
    #expect(grey.components == nil && Array(grey.pixels[..<4]) == [128, 128, 128, 255])
    let linear = [100, 120, 140].map { Double(SRGBCurve.decode(Float($0) / 255)) }
    let wanted = code(linear, Self.fromP3).map { ($0 * 255).rounded() }
    #expect(isNear(grey.pixels[4..<7].map { Float($0) }, wanted, 1))

    let red = try PNG.decode(png([[255, 0, 0]], profile: profile))
    let components = try #require(red.components)
    // As CSS has it: color(display-p3 1 0 0) is color(srgb 1.0930 -0.2267 -0.1501).
    #expect(isNear(Array(components[..<3]), [1.0930, -0.2267, -0.1501], 0.002), "\(components)")
    #expect(Array(red.pixels[..<3]) == [255, 0, 0])
    // What is not to be seen may have any colour.
    #expect(try PNG.decode(png([[255, 0, 0, 0], [9, 9, 9, 255]], profile: profile)).components == nil)
  }

  @Test("Adobe RGB, in a PNG, a WebP and a JPEG")
  func adobeRGB() throws {
    let profile = try profile(Self.adobe, gamma: 563.0 / 256)
    func light(_ value: UInt8) -> Double { pow(Double(value) / 255, 563.0 / 256) }
    let color: [UInt8] = [140, 130, 90]
    let wanted = code(color.map(light), Self.fromAdobe)
    let image = try PNG.decode(png([color, [0, 255, 0]], profile: profile))
    let components = try #require(image.components)
    #expect(isNear(Array(components[..<3]), wanted, 0.003), "\(components) \(wanted)")
    #expect(isNear(Array(components[4..<7]), code([0, 1, 0], Self.fromAdobe), 0.003), "\(components)")

    let size = PixelSize(width: 16, height: 16)
    let codes = wanted.map { $0 * 255 }
    let rgb: [UInt8] = (0..<size.area).flatMap { _ -> [UInt8] in color }
    let jpeg = try ImageFile.decode(
      EncodedPictures.jpeg(EncodedPictures.jpeg(rgb, size), withProfile: profile, parts: 3))
    #expect(jpeg.components == nil && isNear(jpeg.pixels[..<3].map { Float($0) }, codes, 2))
    let rgba: [UInt8] = (0..<size.area).flatMap { _ -> [UInt8] in color + [128] }
    let webp = try ImageFile.decode(
      EncodedPictures.webp(EncodedPictures.webp(rgba, size), size, withProfile: profile))
    #expect(webp.alpha == .straight && isNear(webp.pixels[..<3].map { Float($0) }, codes, 1))
    #expect(webp.pixels[3] == 128)
  }

  @Test("gAMA and cHRM count where there is no profile, and sRGB before both")
  func primaries() throws {
    func chromaticities(_ places: [Double]) -> [UInt8] {
      places.flatMap { EncodedPictures.big(UInt32(($0 * 100_000).rounded())) }
    }
    let gamma: [(String, [UInt8])] = [("gAMA", EncodedPictures.big(45_455))]
    let linear: [(String, [UInt8])] = [("gAMA", EncodedPictures.big(100_000))]
    let colors: [[UInt8]] = [[128, 64, 200], [10, 250, 90]]
    // The usual gamma is sRGB's curve, to the bit.
    let named: [(String, [UInt8])] = [("sRGB", [0])]
    let usual: [(String, [UInt8])] = gamma + [("cHRM", chromaticities(Self.srgb))]
    for extra in [gamma, usual, named, named + linear] {
      let pixels = try PNG.decode(png(colors, extra: extra)).pixels
      #expect(Array(pixels[..<3]) == [128, 64, 200])
    }
    let light = try PNG.decode(png(colors, extra: linear))
    for channel in 0..<3 {
      let wanted = (SRGBCurve.encode(Float(colors[0][channel]) / 255) * 255).rounded()
      #expect((Float(light.pixels[channel]) - wanted).magnitude <= 1)
    }
    let wide = try PNG.decode(png([[100, 120, 140]], extra: [("cHRM", chromaticities(Self.p3))]))
    let values = [100, 120, 140].map { Double(SRGBCurve.decode(Float($0) / 255)) }
    #expect(isNear(wide.pixels[..<3].map { Float($0) }, code(values, Self.fromP3).map { $0 * 255 }, 1))
    // 16 bits too, and greys.
    let grey = try PNG.decode(
      EncodedPictures.png(
        PixelSize(width: 1, height: 1), depth: 16, colorType: 0, rows: [[0x80, 0x00]],
        extra: [("gAMA", EncodedPictures.big(100_000))]))
    let code = SRGBCurve.encode(Float(0x8000) / 65_535)
    #expect(((grey.components?[1] ?? 0) - code).magnitude < 1e-3)
  }

  @Test("sRGB by a profile is sRGB, to the bit")
  func sameColors() throws {
    let profile = try bytes(of: #require(cmsCreate_sRGBProfile()))
    var colors: [[UInt8]] = []
    for step in UInt8(0)..<86 { colors.append([step * 3, 255 - step * 3, step]) }
    let wanted: [UInt8] = colors.flatMap { (color: [UInt8]) -> [UInt8] in color + [255] }
    let image = try PNG.decode(png(colors, profile: profile))
    #expect(image.components == nil && image.pixels == wanted)
  }

  @Test("a profile that makes no sense, or is for other colours, leaves sRGB, and the reason is told")
  func bad() throws {
    let size = PixelSize(width: 16, height: 16)
    let color: [UInt8] = [140, 130, 90, 255]
    let webp = EncodedPictures.webp((0..<size.area).flatMap { _ -> [UInt8] in color }, size)
    let good = try profile(Self.p3)
    let lab = try bytes(of: #require(cmsCreateLab4Profile(nil)))
    for bad in [Array("no profile".utf8), Array(good[..<200]), lab] {
      let image = try ImageFile.decode(EncodedPictures.webp(webp, size, withProfile: bad))
      #expect(Array(image.pixels[..<4]) == color)
      let failure = try #require(throws: ColorFailure.self) { try ColorConversion(.profile(bad), isGray: false) }
      #expect(failure.reason.contains("profile"))
    }
    for primaries: FileColors in [
      .primaries(gamma: 1e-9, chromaticities: nil), .primaries(gamma: nil, chromaticities: [0, 0, 0, 0, 0, 0, 0, 0]),
      .primaries(gamma: nil, chromaticities: [0.3, 0.3, 0.5, 0.4, 0.5, 0.4, 0.5, 0.4]),
    ] {
      #expect(throws: ColorFailure.self) { try ColorConversion(primaries, isGray: false) }
    }
  }

  @Test("2,000 profiles that were damaged at random are refused, or lead to colours that are numbers (seed 5)")
  func hostile() throws {
    var random = SeededGenerator(seed: 5)
    var (used, refused) = (0, 0)
    let good = try [profile(Self.p3), profile(Self.adobe, gamma: 2.2)]
    for round in 0..<2_000 {
      var bytes = good[round % 2]
      for _ in 0...Int.random(in: 0..<8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes[place] = random.oneIn(2) ? 0xFF : 0
        default: if bytes.count > 200 { bytes.removeLast(Int.random(in: 1...40, using: &random)) }
        }
      }
      // Not through a file, which would warn of each.
      do {
        guard let conversion = try ColorConversion(.profile(bytes), isGray: false) else { continue }
        var colors: [Float] = [0, 0.5, 1, 1, 1, 0.25, 0.75, 1]
        conversion.convert(&colors, width: 2)
        let areNumbers = colors.allSatisfy { $0.isFinite }
        #expect(areNumbers, "round \(round)")
        used += 1
      } catch {
        #expect(error.reason.count > 10)
        refused += 1
      }
    }
    #expect(used > 100 && refused > 50)
  }
}
