import CLCMS
import Geometry

/// Why what a file says of its colours makes no sense.
package struct ColorFailure: Error {
  package var reason: String
}

/// From a file's colours to sRGB's, extended beyond 0…1 where they lie outside of that; by Little CMS.
package final class ColorConversion {
  private let transform: cmsHTRANSFORM
  private let isGray: Bool

  /// Nil where nothing is to do: the file's colours are sRGB's, to what eight bits can tell.
  package init?(_ colors: FileColors, isGray: Bool) throws(ColorFailure) {
    let profile: cmsHPROFILE?
    switch colors {
    case .sRGB: return nil
    case .profile(let bytes): profile = try Self.profile(bytes, isGray: isGray)
    case .primaries(let gamma, let chromaticities):
      guard let made = try Self.profile(gamma, chromaticities, isGray: isGray) else { return nil }
      profile = made
    }
    guard let profile else { throw ColorFailure(reason: "the colour profile is damaged") }
    defer { cmsCloseProfile(profile) }
    guard let target = cmsCreate_sRGBProfile() else { throw ColorFailure(reason: "there is not enough memory") }
    defer { cmsCloseProfile(target) }
    let transform = cmsCreateTransform(
      profile, isGray ? Self.grayFloats : Self.rgbFloats, target, Self.rgbFloats,
      cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), Self.withoutCache)
    guard let transform else { throw ColorFailure(reason: "the colour profile leads to no colours") }
    self.transform = transform
    self.isGray = isGray
    if changesNothing { return nil }
  }

  deinit { cmsDeleteTransform(transform) }

  // MARK: Pixels

  /// Red, green and blue of four components for each pixel; alpha stays.
  package func convert(_ components: inout [Float], width: Int) {
    var (row, result) = ([Float](), [Float]())
    let step = max(1, width) * 4
    for start in stride(from: 0, to: components.count, by: step) {
      let end = min(components.count, start + step)
      convert(components[start..<end], &row, &result)
      var index = 0
      for pixel in stride(from: start, to: end - 3, by: 4) {
        for channel in 0..<3 { components[pixel + channel] = result[index + channel] }
        index += 3
      }
    }
  }

  /// The same in bytes. Nil where a colour lies outside of sRGB, unless it is to be held to that.
  func bytes(_ pixels: [UInt8], width: Int, isHeld: Bool = false) -> [UInt8]? {
    var converted = pixels
    var (row, result) = ([Float](), [Float]())
    let step = max(1, width) * 4
    for start in stride(from: 0, to: pixels.count, by: step) {
      let end = min(pixels.count, start + step)
      convert(pixels[start..<end].map { Float($0) / 255 }[...], &row, &result)
      var index = 0
      for pixel in stride(from: start, to: end - 3, by: 4) {
        for channel in 0..<3 {
          let value = (result[index + channel] * 255).rounded()
          // What can't be seen shows nothing, whatever its colour.
          guard isHeld || 0...255 ~= value || pixels[pixel + 3] == 0 else { return nil }
          converted[pixel + channel] = UInt8(max(0, min(255, value)))
        }
        index += 3
      }
    }
    return converted
  }

  private func convert(_ pixels: ArraySlice<Float>, _ row: inout [Float], _ result: inout [Float]) {
    row.removeAll(keepingCapacity: true)
    for pixel in stride(from: pixels.startIndex, to: pixels.endIndex - 3, by: 4) {
      row.append(pixels[pixel])
      if !isGray {
        row.append(pixels[pixel + 1])
        row.append(pixels[pixel + 2])
      }
    }
    let count = isGray ? row.count : row.count / 3
    if result.count != count * 3 { result = [Float](repeating: 0, count: count * 3) }
    cmsDoTransform(transform, row, &result, cmsUInt32Number(count))
    for index in result.indices {
      let value = result[index]
      if !value.isFinite {
        result[index] = 0
      } else if value < 0 {
        // The curve's straight foot goes on there, and ours is mirrored.
        result[index] = SRGBCurve.encode(value / 12.92)
      }
    }
  }

  /// By the greys and the corners of the cube: their differences are no more than rounding.
  private var changesNothing: Bool {
    let steps: [Float] = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]
    var colors: [Float] = []
    for a in steps {
      for b in isGray ? [a] : steps {
        for c in isGray ? [a] : steps { colors += [a, b, c, 1] }
      }
    }
    let before = colors
    convert(&colors, width: colors.count / 4)
    return zip(before, colors).allSatisfy { ($0 - $1).magnitude < 0.5 / 255 }
  }

  // MARK: Profiles

  /// No profile of a file is larger.
  private static let byteLimit = 4 << 20

  private static func profile(_ bytes: [UInt8], isGray: Bool) throws(ColorFailure) -> cmsHPROFILE {
    guard bytes.count <= byteLimit else { throw ColorFailure(reason: "the colour profile is larger than 4 MiB") }
    guard let profile = cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count)) else {
      throw ColorFailure(reason: "the colour profile is damaged")
    }
    let space = cmsGetColorSpace(profile)
    guard space == (isGray ? cmsSigGrayData : cmsSigRgbData) else {
      cmsCloseProfile(profile)
      throw ColorFailure(reason: "the colour profile is for other colours than the picture has")
    }
    return profile
  }

  /// Nil for sRGB's own.
  private static func profile(
    _ gamma: Double?, _ chromaticities: [Double]?, isGray: Bool
  ) throws(ColorFailure) -> cmsHPROFILE? {
    let isSRGBCurve = gamma.map { ($0 - 1 / 2.2).magnitude < 0.005 } ?? true
    let usual = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]
    let places = isGray ? usual : chromaticities ?? usual
    if isSRGBCurve, zip(places, usual).allSatisfy({ ($0 - $1).magnitude < 0.002 }) { return nil }
    guard gamma.map({ 0.05...20 ~= $0 }) ?? true, places.allSatisfy({ 0.001...1.2 ~= $0 }) else {
      throw ColorFailure(reason: "its gamma or primaries are beyond all colours")
    }
    // sRGB's curve is a power with a straight foot.
    let curve =
      isSRGBCurve
      ? cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
      : cmsBuildGamma(nil, 1 / (gamma ?? 1))
    guard let curve else { throw ColorFailure(reason: "there is not enough memory") }
    defer { cmsFreeToneCurve(curve) }
    var white = cmsCIExyY(x: places[0], y: places[1], Y: 1)
    var primaries = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(x: places[2], y: places[3], Y: 1), Green: cmsCIExyY(x: places[4], y: places[5], Y: 1),
      Blue: cmsCIExyY(x: places[6], y: places[7], Y: 1))
    var curves: [OpaquePointer?] = [curve, curve, curve]
    let profile =
      isGray ? cmsCreateGrayProfile(&white, curve) : cmsCreateRGBProfile(&white, &primaries, &curves)
    guard let profile else { throw ColorFailure(reason: "its primaries span no colours") }
    return profile
  }

  // Macros that Swift does not see: float components of four bytes, by kind and number.
  private static let rgbFloats: cmsUInt32Number = 1 << 22 | cmsUInt32Number(PT_RGB) << 16 | 3 << 3 | 4
  private static let grayFloats: cmsUInt32Number = 1 << 22 | cmsUInt32Number(PT_GRAY) << 16 | 1 << 3 | 4
  private static let withoutCache = cmsUInt32Number(cmsFLAGS_NOCACHE)
}
