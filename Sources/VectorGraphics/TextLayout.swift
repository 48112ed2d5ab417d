import CCairo
import CPango
import Commit
import Geometry

/// Text set by Pango, in any script, with whatever fonts have its characters.
public final class TextLayout {
  private let layout: OpaquePointer
  private let context: OpaquePointer
  private let style: TextStyle
  /// In which lines are aligned; nil: as wide as the longest.
  private let width: Double?

  private static let unit = Double(PH_PANGO_SCALE)
  /// In points: Pango counts in 32 bits.
  private static let longest = 1e6
  /// The most bytes of text; the rest is not set.
  public static let longestText = 1 << 20

  /// Nil without memory, or for a size or weight that is no number of points.
  /// - Parameter size: what the text is set in: its width breaks and aligns lines, and its height says how many there can
  ///   be where some are left out. Nil: as much as the text takes.
  public init?(_ runs: [TextRun], _ style: TextStyle, in size: Size?) {
    guard style.fontSize.isFinite, style.fontSize > 0, size?.isFinite ?? true else { return nil }
    guard let map = pango_cairo_font_map_get_default(), let context = pango_font_map_create_context(map) else {
      return nil
    }
    guard let layout = pango_layout_new(context) else {
      g_object_unref(UnsafeMutableRawPointer(context))
      return nil
    }
    self.context = context
    self.layout = layout
    self.style = style
    width = size.map { max(0, min(Self.longest, $0.width)) }

    // Lines break at the same places at every scale: letters are not fitted to pixels.
    if let options = cairo_font_options_create() {
      cairo_font_options_set_antialias(options, Int32(PH_CAIRO_ANTIALIAS_GRAY))
      cairo_font_options_set_hint_style(options, Int32(PH_CAIRO_HINT_STYLE_NONE))
      cairo_font_options_set_hint_metrics(options, Int32(PH_CAIRO_HINT_METRICS_OFF))
      pango_cairo_context_set_font_options(context, options)
      cairo_font_options_destroy(options)
    }
    pango_context_set_round_glyph_positions(context, 0)
    set(runs)
    place(height: size?.height)
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(layout))
    g_object_unref(UnsafeMutableRawPointer(context))
  }

  // MARK: Text

  private func set(_ runs: [TextRun]) {
    withDescription(TextRun("")) { pango_layout_set_font_description(layout, $0) }
    let attributes = pango_attr_list_new()
    defer { if let attributes { pango_attr_list_unref(attributes) } }
    var text: [UInt8] = []
    for run in runs {
      let start = text.count
      // A zero would end the text.
      text.append(contentsOf: run.string.utf8.filter { $0 != 0 })
      guard text.count <= Self.longestText else {
        text.removeLast(text.count - start)
        break
      }
      func insert(_ attribute: UnsafeMutablePointer<PangoAttribute>?) {
        guard let attribute else { return }
        attribute.pointee.start_index = UInt32(start)
        attribute.pointee.end_index = UInt32(text.count)
        pango_attr_list_insert(attributes, attribute)
      }
      if run.fontFamily != nil || run.fontSize != nil || run.fontWeight != nil || run.isItalic != nil {
        withDescription(run) { insert(pango_attr_font_desc_new($0)) }
      }
      if let color = run.color {
        func part(_ value: Float) -> UInt16 { UInt16((max(0, min(1, value)) * 65_535).rounded()) }
        insert(pango_attr_foreground_new(part(color.red), part(color.green), part(color.blue)))
        // Pango takes 0 for no alpha of its own.
        insert(pango_attr_foreground_alpha_new(max(1, part(color.alpha))))
      }
      if run.isUnderlined { insert(pango_attr_underline_new(Int32(PH_PANGO_UNDERLINE_SINGLE))) }
    }
    pango_layout_set_text(layout, "", 0)
    text.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        guard let first = characters.baseAddress, !characters.isEmpty else { return }
        pango_layout_set_text(layout, first, Int32(characters.count))
        isRightToLeft = pango_find_base_dir(first, Int32(characters.count)) == Int32(PH_PANGO_DIRECTION_RTL)
      }
    }
    pango_layout_set_attributes(layout, attributes)
  }

  private var isRightToLeft = false

  private func withDescription(_ run: TextRun, _ body: (OpaquePointer) -> Void) {
    guard let description = pango_font_description_new() else { return }
    defer { pango_font_description_free(description) }
    pango_font_description_set_family(description, run.fontFamily ?? style.fontFamily)
    let size = run.fontSize.map { $0.isFinite && $0 > 0 ? $0 : style.fontSize } ?? style.fontSize
    pango_font_description_set_absolute_size(description, min(10_000, size) * Self.unit)
    pango_font_description_set_weight(description, Int32(max(100, min(1000, run.fontWeight ?? style.fontWeight))))
    let isItalic = run.isItalic ?? style.isItalic
    pango_font_description_set_style(
      description, Int32((isItalic ? PH_PANGO_STYLE_ITALIC : PH_PANGO_STYLE_NORMAL)))
    body(description)
  }

  // MARK: Place

  private func place(height: Double?) {
    let truncates = style.truncation != .none && width != nil
    if let width, style.isWrapped || truncates {
      pango_layout_set_width(layout, Int32((width * Self.unit).rounded()))
    }
    if style.isWrapped { pango_layout_set_wrap(layout, Int32(PH_PANGO_WRAP_WORD_CHAR)) }
    if truncates {
      pango_layout_set_ellipsize(layout, style.truncation.number)
      if style.isWrapped, let height {
        pango_layout_set_height(layout, Int32((max(0, min(Self.longest, height)) * Self.unit).rounded()))
      }
    }
    // Pango turns left and right about by itself for a paragraph that runs from the right.
    let (left, right) = (Int32(PH_PANGO_ALIGN_LEFT), Int32(PH_PANGO_ALIGN_RIGHT))
    switch style.alignment {
    case .natural, .justified: pango_layout_set_alignment(layout, left)
    case .left: pango_layout_set_alignment(layout, isRightToLeft ? right : left)
    case .right: pango_layout_set_alignment(layout, isRightToLeft ? left : right)
    case .center: pango_layout_set_alignment(layout, Int32(PH_PANGO_ALIGN_CENTER))
    }
    if style.alignment == .justified { pango_layout_set_justify(layout, 1) }
  }

  /// Where the lines begin that Pango was given no width to align in.
  private func offset(_ logical: PangoRectangle) -> Double {
    guard let width, !style.isWrapped, style.truncation == .none else { return 0 }
    let room = width - Double(logical.width) / Self.unit
    switch style.alignment {
    case .left: return 0
    case .natural, .justified: return isRightToLeft ? room : 0
    case .right: return room
    case .center: return room / 2
    }
  }

  public var metrics: TextMetrics {
    var (ink, logical) = (PangoRectangle(), PangoRectangle())
    pango_layout_get_extents(layout, &ink, &logical)
    func points(_ value: Int32) -> Double { Double(value) / Self.unit }
    return TextMetrics(
      size: Size(width: points(logical.width), height: points(logical.height)),
      inkBounds: Rect(
        x: points(ink.x) + offset(logical), y: points(ink.y), width: points(ink.width), height: points(ink.height)),
      firstBaseline: points(pango_layout_get_baseline(layout)), lineCount: Int(pango_layout_get_line_count(layout)),
      isTruncated: pango_layout_is_ellipsized(layout) != 0)
  }

  // MARK: Pixels

  /// cairo puts each letter on a whole pixel; of so many side by side, that is no more than this part of one.
  private static let columns = 4

  /// The pixels of `frame`, premultiplied, where the text begins at `origin` of the same space; nil without memory.
  public func image(in frame: Rect, origin: Point, size: PixelSize, scale: Double) -> Image? {
    // Large letters are even as they are, and need the memory.
    let columns = size.area <= 4 << 20 && size.width <= 8191 ? Self.columns : 1
    guard let canvas = Canvas(frame, size: size, scale: scale, columns: columns) else { return nil }
    var logical = PangoRectangle()
    pango_layout_get_extents(layout, nil, &logical)
    canvas.setColor(style.color)
    cairo_translate(canvas.cairo, origin.x + offset(logical), origin.y)
    pango_cairo_show_layout(canvas.cairo, layout)
    return canvas.image()
  }
}

extension TextTruncation {
  fileprivate var number: Int32 {
    switch self {
    case .none: Int32(PH_PANGO_ELLIPSIZE_NONE)
    case .start: Int32(PH_PANGO_ELLIPSIZE_START)
    case .middle: Int32(PH_PANGO_ELLIPSIZE_MIDDLE)
    case .end: Int32(PH_PANGO_ELLIPSIZE_END)
    }
  }
}
