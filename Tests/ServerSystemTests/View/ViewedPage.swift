import Foundation
import Porthole

/// The server's page, in a browser.
struct ViewedPage {
  let browser: Browser

  init(_ address: String) throws {
    browser = try Browser()
    try browser.open(address)
  }

  private static let picture = "document.getElementById('picture')"

  func isLive() throws -> Bool { try browser.wait("document.body.dataset.state === 'live'") }

  func watch(_ output: String) throws -> Bool {
    let options = "document.getElementById('outputs')"
    guard try browser.wait("[...\(options).options].some(option => option.value === '\(output)')") else { return false }
    try browser.run("\(options).value = '\(output)'; \(options).dispatchEvent(new Event('change')); 0")
    return true
  }

  /// The pixels that it shows: straight RGBA.
  func pixels() throws -> (size: PixelSize, pixels: [UInt8]) {
    let text = try browser.run(
      """
      (() => {
        const picture = \(Self.picture);
        const { data } = picture.getContext('2d').getImageData(0, 0, picture.width, picture.height);
        let text = '';
        for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
        return [picture.width, picture.height, btoa(text)];
      })()
      """)
    guard let parts = text as? [Any], let width = parts[0] as? Int, let height = parts[1] as? Int,
      let bytes = (parts[2] as? String).flatMap({ Data(base64Encoded: $0) })
    else { throw Browser.Fault(words: "no pixels: \(text ?? "nil")") }
    return (PixelSize(width: width, height: height), [UInt8](bytes))
  }

  /// Whether it comes to show these pixels.
  func shows(_ image: Image, patience: Double = 30) throws -> Bool {
    let wanted = image.straightPixels
    let end = Date().addingTimeInterval(patience)
    while Date() < end {
      let shown = try pixels()
      if shown.size == image.size, shown.pixels == wanted { return true }
    }
    return false
  }

  /// Waits until the middle of a picture has a colour.
  func waits(forPixel x: Int, _ y: Int, _ pixel: [UInt8], patience: Double = 40) throws -> Bool {
    let values = pixel.map(String.init).joined(separator: ",")
    return try browser.wait(
      "String([...\(Self.picture).getContext('2d').getImageData(\(x), \(y), 1, 1).data]) === '\(values)'",
      patience: patience)
  }

  /// Where a pixel of the output lies on the page.
  func place(_ x: Double, _ y: Double) throws -> (x: Double, y: Double) {
    let value = try browser.run(
      "(() => { const box = \(Self.picture).getBoundingClientRect(); const fit = box.width / \(Self.picture).width;"
        + " return [box.left + \(x) * fit, box.top + \(y) * fit]; })()")
    guard let numbers = value as? [NSNumber], numbers.count == 2 else { throw Browser.Fault(words: "no picture") }
    return (numbers[0].doubleValue, numbers[1].doubleValue)
  }

  func click(_ x: Double, _ y: Double) throws {
    let place = try place(x, y)
    try browser.click(place.x, place.y)
  }
}

extension Image {
  /// As files and canvases have them.
  fileprivate var straightPixels: [UInt8] {
    var result = pixels
    guard alpha == .premultiplied else { return result }
    for index in stride(from: 0, to: result.count - 3, by: 4) where result[index + 3] < 255 {
      let alpha = Int(result[index + 3])
      for channel in index..<index + 3 {
        result[channel] = alpha == 0 ? 0 : UInt8(min(255, (Int(result[channel]) * 255 + alpha / 2) / alpha))
      }
    }
    return result
  }
}
