import Porthole

/// What a program's window is shown in: nothing but portals of it.
final class RunScene {
  enum Kind: String, CaseIterable {
    /// The window alone, at its own size.
    case plain
    /// The window, and a small picture of it in a corner.
    case pip
    /// A wall of thumbnails.
    case wall
    /// The window under a moving lens.
    case lens
  }

  let root = Layer()
  private let kind: Kind
  private let size: Size
  private let lens = LensLayer()
  private var thumbnails: [(layer: PortalLayer, column: Int, row: Int)] = []

  /// - Parameters:
  ///   - window: its size, in points.
  ///   - size: that of the whole; a plain one is the window.
  init(_ kind: Kind, of source: Layer, window: Size, size: Size) {
    self.kind = kind
    self.size = kind == .plain ? window : size
    root.bounds = Rect(origin: .zero, size: self.size)
    root.anchorPoint = .zero
    root.backgroundColor = Color(red: 0.09, green: 0.1, blue: 0.13)
    switch kind {
    case .plain: add(source, window, in: Rect(origin: .zero, size: window))
    case .pip:
      add(source, window, in: root.bounds.insetBy(dx: 24, dy: 24))
      let width = size.width * 0.28
      let height = width * window.height / window.width
      let small = add(
        source, window, in: Rect(x: size.width - width - 40, y: size.height - height - 40, width: width, height: height)
      )
      small.cornerRadius = 12
      small.borderWidth = 2
      small.borderColor = Color(red: 1, green: 1, blue: 1, alpha: 0.85)
      small.shadow = Shadow(color: Color(red: 0, green: 0, blue: 0, alpha: 0.6), radius: 14, offset: Point(0, 6))
    case .wall:
      let (columns, rows) = (6, 5)
      let cell = Size(width: size.width / Double(columns), height: size.height / Double(rows))
      for row in 0..<rows {
        for column in 0..<columns {
          let rect = Rect(
            x: Double(column) * cell.width, y: Double(row) * cell.height, width: cell.width, height: cell.height)
          let thumbnail = add(source, window, in: rect.insetBy(dx: cell.width * 0.06, dy: cell.width * 0.06))
          thumbnail.cornerRadius = 8
          thumbnails.append((thumbnail, column, row))
        }
      }
    case .lens:
      add(source, window, in: root.bounds.insetBy(dx: 24, dy: 24))
      lens.bounds = Rect(x: 0, y: 0, width: 260, height: 170)
      lens.cornerRadius = 85
      lens.lens = Lens(
        shapes: [Lens.Shape(rect: lens.bounds, radius: 85)], rim: 34, thickness: 24, refractiveIndex: 1.45,
        chromaticSpread: 0.04, highlight: Color(red: 1, green: 1, blue: 1, alpha: 0.8), highlightWidth: 1.5)
      root.addSublayer(lens)
    }
    move(to: 0)
  }

  /// As it is at a time, in seconds.
  func move(to time: Double) {
    Transaction.withoutActions {
      switch kind {
      case .plain, .pip: break
      case .wall:
        for (layer, column, row) in thumbnails {
          let wave = sine(time * 2 + Double(column) * 0.7 + Double(row) * 0.5)
          layer.transform = .rotation(angle: wave * 0.12) * .scale(x: 1 + wave * 0.06, y: 1 + wave * 0.06)
        }
      case .lens:
        lens.position = Point(
          size.width / 2 + sine(time * 1.1) * size.width * 0.3, size.height / 2 + sine(time * 1.7) * size.height * 0.25)
      }
    }
  }

  /// A portal of the window, as large as it fits into a rectangle.
  @discardableResult
  private func add(_ source: Layer, _ window: Size, in rect: Rect) -> PortalLayer {
    let portal = PortalLayer()
    portal.sourceLayer = source
    portal.forwardsHitTestingToSource = true
    portal.masksToBounds = true
    portal.bounds = Rect(origin: .zero, size: window)
    portal.position = Point(rect.x + rect.width / 2, rect.y + rect.height / 2)
    let holder = Layer()
    holder.bounds = rect
    holder.position = portal.position
    let scale = min(rect.width / window.width, rect.height / window.height)
    holder.transform = .scale(x: scale, y: scale)
    holder.addSublayer(portal)
    root.addSublayer(holder)
    return portal
  }
}
