/// sRGB's transfer function as IEC 61966-2-1 has it. Beyond 1 it goes on as it is; below 0 it is mirrored, so that colours
/// outside of sRGB's gamut come back as they were.
public enum SRGBCurve {
  /// From an encoded value to light.
  public static func decode(_ value: Float) -> Float {
    let x = Double(value.magnitude)
    let light = x <= 0.04045 ? x / 12.92 : power((x + 0.055) / 1.055, 2.4)
    return Float(value < 0 ? -light : light)
  }

  /// From light to an encoded value.
  public static func encode(_ value: Float) -> Float {
    let x = Double(value.magnitude)
    let code = x <= 0.0031308 ? x * 12.92 : 1.055 * power(x, 1 / 2.4) - 0.055
    return Float(value < 0 ? -code : code)
  }

  /// `decode` of each byte, 255 being 1.
  public static let lightOfByte: [Float] = (0..<256).map { decode(Float($0) / 255) }
}
