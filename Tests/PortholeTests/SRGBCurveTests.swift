import Foundation
import Geometry
import Testing

@Suite("sRGB's curve")
struct SRGBCurveTests {
  /// The standard's formula, written out again.
  private func light(_ code: Double) -> Double {
    code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
  }

  @Test("is the standard's at all 256 codes, which come back as they were")
  func codes() {
    for code in 0...255 {
      let value = Float(code) / 255
      #expect((Double(SRGBCurve.decode(value)) - light(Double(code) / 255)).magnitude < 1e-7, "\(code)")
      #expect(SRGBCurve.lightOfByte[code] == SRGBCurve.decode(value))
      #expect((SRGBCurve.encode(SRGBCurve.decode(value)) * 255).rounded() == Float(code))
    }
  }

  @Test("has the values that everybody knows")
  func known() {
    #expect(
      SRGBCurve.decode(0) == 0 && SRGBCurve.decode(1) == 1 && SRGBCurve.encode(0) == 0 && SRGBCurve.encode(1) == 1)
    // Half of the light is code 188, and a mid grey of 18 % code 118.
    #expect((SRGBCurve.encode(0.5) * 255).rounded() == 188)
    #expect((SRGBCurve.encode(0.18) * 255).rounded() == 118)
    #expect((SRGBCurve.decode(0.5) - 0.214_041_14).magnitude < 1e-6)
  }

  @Test("goes on beyond white, is mirrored below black, and leads there and back to a millionth")
  func extended() {
    #expect((SRGBCurve.decode(2) - 4.953_8).magnitude < 1e-3)
    var last = -Float.infinity
    for step in -6400...6400 {
      let value = Float(step) / 100
      let decoded = SRGBCurve.decode(value)
      #expect(SRGBCurve.decode(-value) == -decoded)
      #expect((SRGBCurve.encode(decoded) - value).magnitude <= 1e-6 * max(1, value.magnitude), "\(value)")
      #expect(decoded > last)
      last = decoded
    }
  }

  @Test("a working space holds colours to its range, and leaves those within as they are, bit for bit")
  func spaces() {
    for alpha in stride(from: Float(0), through: 1, by: 0.125) {
      for value in stride(from: Float(0), through: 1, by: 1 / 255) {
        let color = Color(red: value, green: 1 - value, blue: 1, alpha: alpha).premultiplied
        #expect(WorkingSpace.rgba8.color(color) == color)
      }
    }
    let bright = Color(red: 2, green: -1, blue: 1000, alpha: 2)
    #expect(WorkingSpace.rgba8.color(bright) == Color(red: 1, green: 0, blue: 1))
    #expect(WorkingSpace.rgba8.color(Color(red: 2, green: 0, blue: 0, alpha: 0.5).premultiplied).red == 0.5)
    #expect(WorkingSpace.rgba16f(blending: .encoded).color(bright) == Color(red: 2, green: -1, blue: 64))
    let linear = WorkingSpace.rgba16f(blending: .linear).color(bright)
    #expect(linear.red == SRGBCurve.decode(2) && linear.green == -1 && linear.blue == SRGBCurve.decode(64))
    // Even three of the largest are within what a half float can hold.
    #expect(Float16(3 * linear.blue).isFinite)
  }
}
