import Commit
import Geometry
import Porthole
import Testing

@Suite("Carrying a live layer over and back")
struct HandOverTests {
  /// A grid whose second cell is live, and an overlay of the same size; a portal shows the live layer all the time.
  private final class Stage {
    let renderer: OffscreenRenderer
    let (root, grid, cell, live, overlay) = (Layer(), Layer(), Layer(), Layer(), Layer())
    let portal = PortalLayer()
    let handOver: HandOver
    var time = 0.0

    init() throws {
      renderer = try OffscreenRenderer(size: Size(width: 48, height: 64), backend: .reference)
      for layer in [root, grid, overlay] { layer.frame = Rect(x: 0, y: 0, width: 48, height: 64) }
      cell.frame = Rect(x: 6, y: 40, width: 10, height: 10)
      live.frame = Rect(x: 0, y: 0, width: 10, height: 10)
      live.backgroundColor = Color(red: 1, green: 0, blue: 0)
      cell.addSublayer(live)
      grid.addSublayer(cell)
      root.addSublayer(grid)
      root.addSublayer(overlay)
      portal.frame = Rect(x: 0, y: 0, width: 4, height: 4)
      portal.masksToBounds = true
      portal.sourceLayer = live
      root.addSublayer(portal)
      handOver = HandOver(live, over: overlay, canvas: Rect(x: 8, y: 8, width: 32, height: 48))
      try frame(after: 0)
    }

    /// Where the live layer shows, by the picture; the portal's corner is left out.
    @discardableResult
    func frame(after step: Double) throws -> Rect {
      time += step
      let image = try renderer.render(root, at: time)
      #expect(image[1, 1] == [255, 0, 0, 255], "the portal shows it all the time")
      var box: Rect?
      for y in 0..<64 {
        for x in 0..<48 where (x > 3 || y > 3) && image[x, y][0] > 127 {
          let pixel = Rect(x: Double(x), y: Double(y), width: 1, height: 1)
          box = box.map { $0.union(pixel) } ?? pixel
        }
      }
      return box ?? .zero
    }

    /// The window as it is shown.
    var shown: Rect {
      let window = renderer.presentation(of: handOver.window)
      let (center, size) = (window?.position ?? .zero, window?.bounds.size ?? .zero)
      return Rect(
        x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width, height: size.height)
    }
  }

  private func isNear(_ a: Rect, _ b: Rect, _ most: Double = 1) -> Bool {
    [a.minX - b.minX, a.minY - b.minY, a.maxX - b.maxX, a.maxY - b.maxY].allSatisfy { abs($0) <= most }
  }

  @Test("it opens out of its cell and returns there, in every frame in exactly one place, without a jump")
  func thereAndBack() throws {
    let stage = try Stage()
    let home = stage.live.frame
    #expect(isNear(try stage.frame(after: 0), Rect(x: 6, y: 40, width: 10, height: 10)))
    stage.handOver.open()
    #expect(stage.live.superlayer !== stage.cell)
    var last = try stage.frame(after: 0)
    #expect(isNear(last, Rect(x: 6, y: 40, width: 10, height: 10)), "the frame in which it leaves: \(last)")
    var steps = 0
    while stage.handOver.state == .opening, steps < 400 {
      let next = try stage.frame(after: 1.0 / 120)
      #expect(isNear(next, last, 6), "\(last) \(next)")
      #expect(isNear(next, stage.shown.intersection(Rect(x: 0, y: 0, width: 48, height: 64))), "\(next) \(stage.shown)")
      last = next
      steps += 1
    }
    #expect(stage.handOver.state == .open && isNear(last, Rect(x: 8, y: 8, width: 32, height: 48)))
    stage.handOver.close(to: { HandOver.Place(in: stage.cell, rect: stage.cell.bounds) })
    steps = 0
    while stage.handOver.state == .closing, steps < 400 {
      let next = try stage.frame(after: 1.0 / 120)
      #expect(isNear(next, last, 6), "\(last) \(next)")
      last = next
      steps += 1
    }
    #expect(stage.handOver.state == .home && stage.live.superlayer === stage.cell && stage.live.frame == home)
    #expect(isNear(try stage.frame(after: 0), Rect(x: 6, y: 40, width: 10, height: 10)))
    #expect(stage.overlay.sublayers.isEmpty && stage.renderer.nextWake == nil)
  }

  @Test(
    "interrupted at any moment it goes on from what is shown, and the first motion's end does nothing",
    arguments: 1..<12)
  func interruption(frames: Int) throws {
    let stage = try Stage()
    stage.handOver.open()
    try stage.frame(after: 0)
    for _ in 0..<frames { try stage.frame(after: 1.0 / 60) }
    var ends: [String] = []
    var last = stage.shown
    func follow(_ count: Int) throws {
      for _ in 0..<count {
        try stage.frame(after: 1.0 / 240)
        #expect(isNear(stage.shown, last, 5), "\(last) \(stage.shown)")
        last = stage.shown
      }
    }
    let home = { HandOver.Place(in: stage.cell, rect: stage.cell.bounds) }
    stage.handOver.close(to: home) { ends.append("closed") }
    try stage.frame(after: 0)
    #expect(isNear(stage.shown, last, 1e-6), "the same moment, and the same picture")
    try follow(10)
    stage.handOver.open { ends.append("opened") }
    try stage.frame(after: 0)
    #expect(isNear(stage.shown, last, 1e-6))
    try follow(10)
    stage.handOver.drag(by: Point(3, 5), scale: 0.9)
    stage.handOver.drag(by: Point(3, 6), scale: 0.9)
    try follow(10)
    #expect(stage.handOver.state == .dragged && ends.isEmpty)
    stage.handOver.close(to: home) { ends.append("closed again") }
    for _ in 0..<60 { try stage.frame(after: 1.0 / 20) }
    #expect(ends == ["closed again"] && stage.live.superlayer === stage.cell)
  }

  @Test("asked again for what it is about, it goes on as it was, and tells whoever asked last")
  func again() throws {
    let stage = try Stage()
    let home = { HandOver.Place(in: stage.cell, rect: stage.cell.bounds) }
    var ends: [String] = []
    stage.handOver.open { ends.append("first") }
    for _ in 0..<4 { try stage.frame(after: 1.0 / 60) }
    var last = stage.shown
    stage.handOver.open { ends.append("second") }
    #expect(stage.handOver.state == .opening && ends.isEmpty)
    try stage.frame(after: 0)
    #expect(isNear(stage.shown, last, 1e-6))
    for _ in 0..<90 { try stage.frame(after: 1.0 / 60) }
    #expect(stage.handOver.state == .open && ends == ["second"])
    stage.handOver.open { ends.append("third") }
    #expect(ends == ["second", "third"], "it is open")
    stage.handOver.close(to: home) { ends.append("closed") }
    for _ in 0..<4 { try stage.frame(after: 1.0 / 60) }
    last = stage.shown
    stage.handOver.close(to: home) { ends.append("closed again") }
    #expect(stage.handOver.state == .closing && stage.live.superlayer !== stage.cell)
    for _ in 0..<90 {
      let next = try stage.frame(after: 1.0 / 60)
      #expect(isNear(next, last, 6), "\(last) \(next)")
      last = next
    }
    #expect(stage.handOver.state == .home && ends == ["second", "third", "closed again"])
  }

  @Test("the corner on the screen has one radius all the way")
  func radius() throws {
    let stage = try Stage()
    let radii = HandOver(
      stage.live, over: stage.overlay, canvas: Rect(x: 8, y: 8, width: 32, height: 48), canvasRadius: 4)
    radii.open(from: HandOver.Place(in: stage.cell, rect: stage.cell.bounds, cornerRadius: 4))
    for _ in 0..<30 {
      try stage.frame(after: 1.0 / 60)
      #expect(stage.renderer.presentation(of: radii.window)?.cornerRadius == 4)
      // The window itself is not scaled, so this is the radius on the screen.
      #expect(stage.renderer.presentation(of: radii.window)?.transform == .identity)
    }
  }

  @Test("with less than a third of its cell showing it fades where it is")
  func fallback() throws {
    for change: (Stage) -> Void in [
      { $0.cell.position = Point(11, 68) }, { $0.grid.isHidden = true },
      {
        $0.grid.masksToBounds = true
        $0.grid.bounds = Rect(x: 0, y: 47.5, width: 48, height: 64)
      },
    ] {
      let stage = try Stage()
      stage.handOver.open()
      for _ in 0..<80 { try stage.frame(after: 1.0 / 30) }
      change(stage)
      stage.handOver.close(to: { HandOver.Place(in: stage.cell, rect: stage.cell.bounds) })
      let center = stage.handOver.window.position
      try stage.renderer.update(stage.root, at: stage.time)
      try stage.renderer.update(stage.root, at: stage.time + 0.08)
      let shown = try #require(stage.renderer.presentation(of: stage.handOver.window))
      #expect(shown.opacity < 1 && shown.opacity > 0 && shown.position == center && shown.bounds.width < 32)
      try stage.renderer.update(stage.root, at: stage.time + 9)
      #expect(stage.handOver.state == .home && stage.live.superlayer === stage.cell)
    }
  }

  @Test("thirty percent is where it begins to fly home", arguments: [(2.8, false), (3.2, true)])
  func thirtyPercent(shown: Double, flies: Bool) throws {
    let stage = try Stage()
    stage.grid.masksToBounds = true
    stage.handOver.open()
    for _ in 0..<80 { try stage.frame(after: 1.0 / 30) }
    // Of its ten points, so many are left at the top of the grid.
    stage.grid.bounds = Rect(x: 0, y: 50 - shown, width: 48, height: 64)
    stage.handOver.close(to: { HandOver.Place(in: stage.cell, rect: stage.cell.bounds) })
    let center = stage.handOver.window.position
    try stage.renderer.update(stage.root, at: stage.time)
    try stage.renderer.update(stage.root, at: stage.time + 0.08)
    let window = try #require(stage.renderer.presentation(of: stage.handOver.window))
    #expect((window.opacity == 1) == flies && (window.position != center) == flies, "\(window.position)")
  }

  @Test("a destination is asked for when it is returned to, and home may be gone by then")
  func gone() throws {
    let stage = try Stage()
    stage.handOver.open()
    for _ in 0..<80 { try stage.frame(after: 1.0 / 30) }
    stage.cell.removeFromSuperlayer()
    var asked = 0
    stage.handOver.close(to: {
      asked += 1
      return nil
    })
    #expect(asked == 1)
    try stage.renderer.update(stage.root, at: stage.time)
    try stage.renderer.update(stage.root, at: stage.time + 9)
    #expect(stage.handOver.state == .home && stage.live.superlayer === stage.cell)
  }

  @Test("for whom motion is too much it fades from one place to the other")
  func reducedMotion() throws {
    let stage = try Stage()
    stage.handOver.motion = .reduced
    stage.handOver.open()
    try stage.renderer.update(stage.root, at: stage.time)
    try stage.renderer.update(stage.root, at: stage.time + 0.1)
    let shown = try #require(stage.renderer.presentation(of: stage.handOver.window))
    #expect(shown.opacity == 0.5 && shown.bounds.width == 32)
    try stage.renderer.update(stage.root, at: stage.time + 1)
    #expect(stage.handOver.state == .open)
    stage.handOver.close(to: { nil })
    try stage.renderer.update(stage.root, at: stage.time + 1)
    try stage.renderer.update(stage.root, at: stage.time + 2)
    #expect(stage.live.superlayer === stage.cell)
    try stage.renderer.update(stage.root, at: stage.time + 2)
    #expect(stage.renderer.presentation(of: stage.live)?.opacity == 0)
  }

  @Test("a thousand ways there and back leave nothing behind")
  func leftovers() throws {
    let stage = try Stage()
    let layers = stage.renderer.layerCount
    for _ in 0..<1000 {
      stage.handOver.open()
      try stage.renderer.update(stage.root, at: stage.time)
      stage.handOver.close(to: { HandOver.Place(in: stage.cell, rect: stage.cell.bounds) })
      try stage.renderer.update(stage.root, at: stage.time + 0.1)
      stage.time += 10
      try stage.renderer.update(stage.root, at: stage.time)
      #expect(stage.handOver.state == .home)
    }
    // The window and its scaler, which it keeps.
    #expect(stage.renderer.layerCount == layers + 2 && stage.renderer.nextWake == nil)
  }
}
