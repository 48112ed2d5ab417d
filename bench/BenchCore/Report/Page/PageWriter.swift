/// Writes HTML element by element; whatever text it is handed is escaped.
struct PageWriter {
  private(set) var text = ""

  /// `content` as it stands.
  mutating func raw(_ content: String) { text += content }

  mutating func element(_ name: String, _ content: String, class styles: String? = nil) {
    text += "<\(name)\(Self.attribute(styles))>\(Self.escaped(content))</\(name)>\n"
  }

  mutating func section(_ title: String, id: String, _ body: (inout PageWriter) -> Void) {
    text += "<section id=\"\(Self.escaped(id))\" aria-labelledby=\"\(Self.escaped(id))-title\">\n"
    text += "<h2 id=\"\(Self.escaped(id))-title\">\(Self.escaped(title))</h2>\n"
    body(&self)
    text += "</section>\n"
  }

  /// A picture that may be wider than the window: it scrolls in a box of its own, by the keyboard too.
  mutating func figure(_ document: SVGDocument, caption: String) {
    text += "<figure><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"\(Self.escaped(caption))\">\n"
    text += document.text + "</div>\n<figcaption>\(Self.escaped(caption))</figcaption></figure>\n"
  }

  /// The first columns are words, the last `numbers` are numbers.
  mutating func table(caption: String, head: [String], numbers: Int, rows: [[String]]) {
    let words = head.count - numbers
    text += "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"\(Self.escaped(caption))\"><table>\n"
    text += "<caption>\(Self.escaped(caption))</caption>\n<thead><tr>"
    for (column, title) in head.enumerated() {
      text += "<th scope=\"col\"\(Self.attribute(column < words ? nil : "n"))>\(Self.escaped(title))</th>"
    }
    text += "</tr></thead>\n<tbody>\n"
    for row in rows {
      text += "<tr>"
      for (column, cell) in row.enumerated() {
        text += "<td\(Self.attribute(column < words ? nil : "n"))>\(Self.escaped(cell))</td>"
      }
      text += "</tr>\n"
    }
    text += "</tbody></table></div>\n"
  }

  mutating func list(_ items: [String]) {
    guard !items.isEmpty else { return }
    text += "<ul>\n" + items.map { "<li>\(Self.escaped($0))</li>\n" }.joined() + "</ul>\n"
  }

  private static func attribute(_ styles: String?) -> String { styles.map { " class=\"\($0)\"" } ?? "" }

  static func escaped(_ text: String) -> String { SVGDocument.escaped(text) }
}
