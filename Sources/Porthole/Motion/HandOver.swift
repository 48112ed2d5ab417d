import Commit
import Geometry

/// Carries a live layer out of where it lives, onto a canvas above everything else, and back: a picture that opens to fill
/// the screen, a camera that grows out of its cell.
///
/// It is one and the same layer all the way: it changes its superlayer, in the transaction that begins the motion, and with
/// its identity it keeps its portals, its pictures and what moves in it. On its way it is seen through a window of the
/// overlay, which has the corner radius that is wanted on the screen, and is scaled inside of it, so that no radius needs to
/// be compensated for the scale. Every motion begins at what is shown, at its speed: it may be interrupted at any time. What
/// an interrupted motion had still to do is not done.
///
///     let handOver = HandOver(preview, over: overlay, canvas: overlay.bounds)
///     handOver.open()
///     handOver.close { HandOver.Place(in: cell, rect: cell.bounds, cornerRadius: 12) }
public final class HandOver {
  /// Somewhere to return to.
  public struct Place {
    public var layer: Layer
    /// In the layer's own space.
    public var rect: Rect
    public var cornerRadius: Double

    public init(in layer: Layer, rect: Rect, cornerRadius: Double = 0) {
      self.layer = layer
      self.rect = rect
      self.cornerRadius = cornerRadius
    }
  }

  public enum State: Sendable, Hashable {
    case home, opening, open, dragged, closing
  }

  public let layer: Layer
  public private(set) var state = State.home
  /// How the layer is seen while it is away: its bounds are what shows, in the overlay's points.
  public let window = Layer()
  public var spring = Spring(stiffness: 300, damping: 28)
  /// `reduced`: it fades from one place to the other.
  public var motion = MotionPolicy.full
  /// Less than this share of the destination showing, it does not return there but fades and shrinks where it is.
  public var leastShare = 0.3

  private let overlay: Layer
  private let canvas: Rect
  private let canvasRadius: Double
  /// Scales the layer, which has the canvas's size, about its middle.
  private let scaler = Layer()
  private var home: Home?
  /// Counts the motions begun: what another one's end would do is not done.
  private var generation = 0
  /// What the end of the one that runs does; nil while none does.
  private var finish: (() -> Void)?

  /// - Parameters:
  ///   - overlay: what it is carried to; it must be shown by the renderer.
  ///   - canvas: what the layer fills there, in the overlay's own space.
  public init(
    _ layer: Layer, over overlay: Layer, canvas: Rect, canvasRadius: Double = 0
  ) {
    self.layer = layer
    self.overlay = overlay
    self.canvas = canvas.standardized
    self.canvasRadius = canvasRadius
    window.name = "window"
    window.masksToBounds = true
    window.addSublayer(scaler)
  }

  // MARK: Motions

  /// Opens from wherever it is; from home, out of `rect` of its superlayer, or the layer's own frame.
  public func open(from place: Place? = nil, completion: (() -> Void)? = nil) {
    let start = state == .home ? leave(place) : nil
    move(to: .opening, then: .open, isNew: start != nil, completion: completion) {
      guard let start else { return show(Shown(rect: canvas, radius: canvasRadius)) }
      // It was not shown there before: so where it begins has to be said.
      Transaction.withoutActions { show(Shown(rect: canvas, radius: canvasRadius)) }
      fly(from: start)
    }
  }

  /// Returns. `destination` is asked now, since the place may have moved or gone meanwhile; nil: it has.
  public func close(to destination: () -> Place?, completion: (() -> Void)? = nil) {
    guard state != .home else { return }
    let place = destination()
    let target = place.flatMap { share(of: $0) >= leastShare ? rect(of: $0) : nil }
    let arrive = { [self] in
      goHome()
      completion?()
    }
    move(to: .closing, then: .home, completion: arrive) {
      if motion == .reduced {
        window.opacity = 0
      } else if let place, let target {
        show(Shown(rect: target, radius: place.cornerRadius, scale: scale(toFill: target.size)))
      } else {
        // Nowhere to go: it fades and shrinks inside of where it is.
        let rect = Rect(origin: window.position, size: .zero)
          .insetBy(dx: -window.bounds.width * 0.4, dy: -window.bounds.height * 0.4)
        show(Shown(rect: rect, radius: window.cornerRadius, scale: scaler.transform.m11 * 0.8, opacity: 0))
      }
    }
  }

  /// Follows a finger: moved by `offset` and scaled about the canvas's middle. From wherever it is shown at the first call.
  public func drag(by offset: Point, scale: Double) {
    guard state != .home else { return }
    generation += 1
    finish = nil
    let center = canvas.center
    let size = Size(width: canvas.width * scale, height: canvas.height * scale)
    let rect = Rect(
      x: center.x + offset.x - size.width / 2, y: center.y + offset.y - size.height / 2, width: size.width,
      height: size.height)
    let shown = Shown(rect: rect, radius: canvasRadius, scale: scale)
    if state == .dragged {
      // What still moves goes on to wherever the finger is by now.
      Transaction.withoutActions { show(shown) }
    } else {
      state = .dragged
      Transaction.animate(spring: spring) { show(shown) }
    }
  }

  // MARK: Steps

  private struct Home {
    weak var superlayer: Layer?
    var index: Int
    var bounds: Rect
    var position: Point
    var anchorPoint: Point
    var transform: Transform3D
    var zPosition: Double
    var cornerRadius: Double
  }

  /// - Parameter isNew: it was not shown in the window before.
  private func move(
    to state: State, then end: State, isNew: Bool = false, completion: (() -> Void)?, _ body: () -> Void
  ) {
    self.state = state
    let mine = generation + 1
    let isRunning = finish != nil
    let done = { [weak self] in
      guard let self, generation == mine, let finish else { return }
      self.finish = nil
      finish()
    }
    finish = { [weak self] in
      self?.state = end
      completion?()
    }
    let change = {
      let (before, earlier) = (self.goal, self.generation)
      // What is replaced ends at once, and must not take this one for its own.
      self.generation = mine
      body()
      // Asked for what it is about already, it goes on, and what was asked for last is done at that motion's end.
      if !isNew, isRunning, self.goal == before { self.generation = earlier }
    }
    if motion == .reduced {
      Transaction.animate(duration: 0.2, completion: done, change)
    } else {
      Transaction.animate(spring: spring, completion: done, change)
    }
  }

  /// What the window and the scaler are set to.
  private var goal: [Double] {
    let (at, bounds) = (window.position, window.bounds)
    return [
      at.x, at.y, bounds.x, bounds.y, bounds.width, bounds.height, window.cornerRadius, Double(window.opacity),
      scaler.transform.m11,
    ]
  }

  /// Out of its superlayer into the window, without anything moving on the screen.
  /// - Returns: How it is seen there.
  private func leave(_ place: Place?) -> Shown {
    let superlayer = layer.superlayer
    home = Home(
      superlayer: superlayer, index: superlayer?.sublayers.firstIndex { $0 === layer } ?? 0, bounds: layer.bounds,
      position: layer.position, anchorPoint: layer.anchorPoint, transform: layer.transform,
      zPosition: layer.zPosition, cornerRadius: layer.cornerRadius)
    let start = place.flatMap(rect) ?? overlay.convert(layer.bounds, from: layer) ?? canvas
    let radius = place?.cornerRadius ?? layer.cornerRadius
    Transaction.withoutActions {
      window.removeAllAnimations()
      scaler.removeAllAnimations()
      layer.bounds = Rect(origin: layer.bounds.origin, size: canvas.size)
      layer.anchorPoint = Point(0.5, 0.5)
      layer.position = .zero
      layer.transform = .identity
      layer.zPosition = 0
      layer.cornerRadius = 0
      scaler.addSublayer(layer)
      overlay.addSublayer(window)
    }
    if motion == .reduced { return Shown(rect: canvas, radius: canvasRadius, opacity: 0) }
    return Shown(rect: start, radius: radius, scale: scale(toFill: start.size))
  }

  /// Moves it from there to what the window and the scaler are set to.
  private func fly(from start: Shown) {
    add(.position, .point(start.rect.center), to: window)
    add(.bounds, .rect(start.bounds), to: window)
    add(.cornerRadius, .number(start.radius), to: window)
    add(.opacity, .number(start.opacity), to: window)
    add(.transform, .transform(.scale(x: start.scale, y: start.scale)), to: scaler)
  }

  private func add(_ property: AnimationKeyPath.Property, _ from: AnimationValue, to layer: Layer) {
    let interval = PropertyAnimation.Interval(from: from)
    let animation = PropertyAnimation(
      AnimationKeyPath(whole: property), motion == .reduced ? .basic(interval) : .spring(interval, spring))
    // By the key that setting the property later goes by.
    layer.add(
      Animation(animation, timing: AnimationTiming(duration: motion == .reduced ? 0.2 : 0)), forKey: property.name)
  }

  private func goHome() {
    guard let home else { return }
    self.home = nil
    Transaction.withoutActions {
      layer.bounds = home.bounds
      layer.position = home.position
      layer.anchorPoint = home.anchorPoint
      layer.transform = home.transform
      layer.zPosition = home.zPosition
      layer.cornerRadius = home.cornerRadius
      if let superlayer = home.superlayer {
        superlayer.insertSublayer(layer, at: home.index)
      } else {
        layer.removeFromSuperlayer()
      }
      window.removeFromSuperlayer()
    }
    if motion == .reduced {
      layer.add(
        Animation(
          PropertyAnimation(AnimationKeyPath(whole: .opacity), .basic(.init(from: .number(0)))),
          timing: AnimationTiming(duration: 0.2)), forKey: "hand-over")
    }
  }

  /// What is seen.
  private struct Shown {
    /// In the overlay's space.
    var rect: Rect
    /// On the screen.
    var radius: Double
    /// Of the layer, which has the canvas's size.
    var scale = 1.0
    var opacity = 1.0

    /// About its own middle, which so stays where the scaler is.
    var bounds: Rect { Rect(x: -rect.width / 2, y: -rect.height / 2, width: rect.width, height: rect.height) }
  }

  private func show(_ shown: Shown) {
    window.position = shown.rect.center
    window.bounds = shown.bounds
    window.cornerRadius = shown.radius
    window.opacity = Float(shown.opacity)
    scaler.transform = .scale(x: shown.scale, y: shown.scale)
  }

  /// The canvas so small, or large, that it covers a rectangle of that size.
  private func scale(toFill size: Size) -> Double {
    guard !canvas.isEmpty else { return 1 }
    return max(size.width / canvas.width, size.height / canvas.height)
  }

  private func rect(of place: Place) -> Rect? { overlay.convert(place.rect, from: place.layer) }

  /// How much of a place shows: what no layer above it cuts off, and lies in the overlay.
  private func share(of place: Place) -> Double {
    guard let whole = rect(of: place), !whole.isEmpty else { return 0 }
    var visible = whole.intersection(overlay.bounds.standardized)
    var next: Layer? = place.layer
    while let layer = next {
      if layer.isHidden || layer.opacity < 0.01 { return 0 }
      if layer.masksToBounds, let clip = overlay.convert(layer.bounds.standardized, from: layer) {
        visible = visible.intersection(clip)
      }
      next = layer.superlayer
    }
    return visible.area / whole.area
  }
}
