import Commit
import Geometry
import Testing
import VectorGraphics

/// What holds for any font: none of these numbers is one font's.
@Suite("Text as pixels")
struct TextLayoutTests {
  private func layout(
    _ text: String, in size: Size? = nil, _ change: (inout TextStyle) -> Void = { _ in }
  ) throws -> TextLayout {
    var style = TextStyle()
    style.color = .black
    style.fontSize = 20
    change(&style)
    return try #require(TextLayout([TextRun(text)], style, in: size))
  }

  private func image(_ layout: TextLayout, width: Int = 160, height: Int = 60, scale: Int = 1) throws -> Image {
    let frame = Rect(x: 0, y: 0, width: Double(width), height: Double(height))
    return try #require(
      layout.image(
        in: frame, origin: .zero, size: PixelSize(width: width * scale, height: height * scale), scale: Double(scale)))
  }

  /// The smallest rectangle around what is more than a little dyed.
  private func ink(_ image: Image) -> Rect {
    var (left, top, right, bottom) = (image.width, image.height, 0, 0)
    for y in 0..<image.height {
      for x in 0..<image.width where image.pixels[(y * image.width + x) * 4 + 3] > 32 {
        (left, right) = (min(left, x), max(right, x + 1))
        (top, bottom) = (min(top, y), max(bottom, y + 1))
      }
    }
    return right > left
      ? Rect(x: Double(left), y: Double(top), width: Double(right - left), height: Double(bottom - top)) : .zero
  }

  @Test("a capital stands on the baseline, and is as high as capitals are")
  func baseline() throws {
    let layout = try layout("H")
    let bounds = ink(try image(layout))
    #expect(abs(bounds.maxY - layout.metrics.firstBaseline) <= 1)
    #expect(bounds.height > 20 * 0.6 && bounds.height < 20 * 0.85)
    #expect(bounds.x < 5 && layout.metrics.lineCount == 1)
    let below = ink(try image(try self.layout("p"))).maxY
    #expect(below > layout.metrics.firstBaseline + 2)
  }

  @Test("what is measured is what is drawn")
  func measured() throws {
    for text in ["Hamburg", "ÅÇgj", "مرحبا", "日本"] {
      let layout = try layout(text)
      let (drawn, measured) = (ink(try image(layout)), layout.metrics.inkBounds)
      #expect(abs(drawn.x - measured.x) <= 1.5 && abs(drawn.maxX - measured.maxX) <= 1.5, "\(text)")
      #expect(abs(drawn.y - measured.y) <= 1.5 && abs(drawn.maxY - measured.maxY) <= 1.5, "\(text)")
    }
  }

  @Test("lines break where the width has them break, more of them the narrower it is")
  func wrapping() throws {
    let text = "seven words and no more than that"
    func lines(_ width: Double) throws -> Int {
      try layout(text, in: Size(width: width, height: 400)) { $0.isWrapped = true }.metrics.lineCount
    }
    #expect(try lines(2000) == 1)
    #expect(try lines(200) > 1 && lines(100) > lines(200))
    #expect(try lines(1) >= text.filter { $0 != " " }.count)
    #expect(try layout(text, in: Size(width: 100, height: 400)).metrics.lineCount == 1)
    #expect(try layout("a\nb\nc").metrics.lineCount == 3)
    let narrow = try layout(text, in: Size(width: 120, height: 400)) { $0.isWrapped = true }
    #expect(narrow.metrics.size.width <= 120)
  }

  @Test("lines break at the same places at every scale")
  func sameLines() throws {
    let layout = try layout("a text of several words that breaks", in: Size(width: 150, height: 60)) {
      $0.isWrapped = true
    }
    let (small, large) = (ink(try image(layout)), ink(try image(layout, scale: 3)))
    #expect(abs(large.width / 3 - small.width) <= 1.5 && abs(large.height / 3 - small.height) <= 1.5)
  }

  @Test("twice the scale has more detail than the single one blown up")
  func detail() throws {
    let layout = try layout("Detail & fine print") { $0.fontSize = 11 }
    let (single, double) = (try image(layout), try image(layout, scale: 2))
    // Sharp letters are nearly all ink or none.
    func grey(_ image: Image) -> Double {
      let alphas = stride(from: 3, to: image.pixels.count, by: 4).map { image.pixels[$0] }
      let dyed = alphas.filter { $0 > 0 }
      return Double(dyed.filter { $0 > 25 && $0 < 230 }.count) / Double(dyed.count)
    }
    #expect(grey(double) < grey(single) * 0.85)
    var differing = 0
    for y in 0..<double.height {
      for x in 0..<double.width {
        let a = Int(double.pixels[(y * double.width + x) * 4 + 3])
        let b = Int(single.pixels[(y / 2 * single.width + x / 2) * 4 + 3])
        if abs(a - b) > 64 { differing += 1 }
      }
    }
    #expect(differing > 200)
  }

  @Test("lines are even on the side they are told to be")
  func alignment() throws {
    let size = Size(width: 160, height: 60)
    func place(_ text: String, _ alignment: TextAlignment, wraps: Bool) throws -> Rect {
      ink(
        try image(
          try layout(text, in: size) {
            $0.alignment = alignment
            $0.isWrapped = wraps
          }))
    }
    for wraps in [false, true] {
      #expect(try place("ab", .natural, wraps: wraps).x < 6 && place("ab", .left, wraps: wraps).x < 6)
      #expect(try place("ab", .right, wraps: wraps).maxX > 154)
      #expect(abs(try place("ab", .center, wraps: wraps).center.x - 80) < 2)
      // A script that runs from the right begins there.
      #expect(try place("مرحبا", .natural, wraps: wraps).maxX > 150)
      #expect(try place("مرحبا", .left, wraps: wraps).x < 10)
      #expect(try place("مرحبا", .right, wraps: wraps).maxX > 150)
    }
  }

  @Test("justified lines reach both sides, but for the last")
  func justified() throws {
    let text = "some words that are set in a block of several lines"
    let block = try layout(text, in: Size(width: 160, height: 200)) {
      $0.isWrapped = true
      $0.alignment = .justified
    }
    let picture = try image(block, height: 200)
    let height = Int(block.metrics.size.height) / block.metrics.lineCount
    let first = picture.pixels[..<(height * 160 * 4)]
    let columns = Set(first.indices.filter { $0 % 4 == 3 && first[$0] > 64 }.map { $0 / 4 % 160 })
    #expect((columns.max() ?? 0) >= 155 && (columns.min() ?? 160) <= 4)
  }

  @Test("what does not fit is left out for an ellipsis, at the end that is told")
  func truncation() throws {
    let size = Size(width: 80, height: 30)
    for mode in [TextTruncation.start, .middle, .end] {
      let layout = try layout("a text that is far too long", in: size) { $0.truncation = mode }
      #expect(layout.metrics.isTruncated && layout.metrics.size.width <= 80 && layout.metrics.lineCount == 1)
    }
    #expect(try !layout("a text that is far too long", in: size).metrics.isTruncated)
    #expect(try !layout("ab", in: size) { $0.truncation = .end }.metrics.isTruncated)
    let lines = try layout(
      "a text that is far too long for two lines of so little room", in: Size(width: 80, height: 52)
    ) {
      $0.isWrapped = true
      $0.truncation = .end
    }
    #expect(lines.metrics.isTruncated && lines.metrics.lineCount == 2)
  }

  @Test("an emoji has colours of its own, and a letter has none")
  func emoji() throws {
    func spread(_ text: String) throws -> Int {
      let pixels = try image(try layout(text)).pixels
      return stride(from: 0, to: pixels.count, by: 4).reduce(0) { widest, index in
        max(widest, Int(pixels[index..<index + 3].max() ?? 0) - Int(pixels[index..<index + 3].min() ?? 0))
      }
    }
    #expect(try spread("🎉🍓") > 100)
    #expect(try spread("A") == 0)
  }

  @Test("runs have colours, sizes and weights of their own")
  func runs() throws {
    var style = TextStyle()
    style.color = .black
    style.fontSize = 20
    func draw(_ run: TextRun) throws -> Image {
      try image(try #require(TextLayout([TextRun("i"), run], style, in: nil)))
    }
    let plain = try draw(TextRun("HHHH"))
    let red = try draw(TextRun("HHHH", color: Color(red: 1, green: 0, blue: 0)))
    #expect(ink(plain) == ink(red))
    #expect(stride(from: 0, to: red.pixels.count, by: 4).contains { red.pixels[$0] > 200 && red.pixels[$0 + 1] == 0 })
    #expect(stride(from: 0, to: plain.pixels.count, by: 4).allSatisfy { plain.pixels[$0] == 0 })
    #expect(ink(try draw(TextRun("HHHH", fontSize: 30))).height > ink(plain).height * 1.3)
    func dyed(_ image: Image) -> Int {
      stride(from: 3, to: image.pixels.count, by: 4).reduce(0) { $0 + Int(image.pixels[$1]) }
    }
    #expect(dyed(try draw(TextRun("HHHH", fontWeight: 800))) > dyed(plain) * 11 / 10)
    #expect(ink(try draw(TextRun("HHHH", isUnderlined: true))).maxY > ink(plain).maxY)
    let faint = try draw(TextRun("HHHH", color: Color(red: 0, green: 0, blue: 0, alpha: 0.5)))
    #expect(dyed(faint) < dyed(plain) * 7 / 10)
  }

  @Test("blanks dye nothing, nothing is no text, and a size that is none is refused")
  func nothing() throws {
    for text in ["", "  \n\u{0} "] {
      let bounds = ink(try image(try layout(text)))
      #expect(bounds == .zero)
    }
    var style = TextStyle()
    for size in [0, -1, .infinity, .nan] {
      style.fontSize = size
      #expect(TextLayout([TextRun("a")], style, in: nil) == nil)
    }
  }
}
