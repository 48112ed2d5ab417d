import Porthole

/// Where a frame's time goes: the stages, of GL's the passes, of a pass's what portals show and what layers draw by
/// themselves. Every table's sum is the frame.
///
/// The stages are measured in ordinary frames. GL's time is divided among the passes as it is in frames in which each pass is
/// finished before the next is begun; a pass's among portals by the pixels that they cover.
public struct Attribution: Sendable {
  public struct Pass: Sendable {
    public var name: String
    public var milliseconds: Double
    public var pixels: Int
    /// Of `milliseconds`: what portals show in it.
    public var portalMilliseconds: Double
    /// How far apart its times lay, as a part of them.
    public var spread: Double?
  }
  public struct Source: Sendable {
    public var name: String
    /// Drawing its pictures, and showing them or drawing its layers again.
    public var drawingMilliseconds: Double
    public var showingMilliseconds: Double
  }
  public struct Portal: Sendable {
    public var name: String
    public var source: String
    public var milliseconds: Double
    public var pixels: Int
  }

  /// By stage, in the order of `FeatureCell.stages`.
  public var stages: [Double]
  public var passes: [Pass] = []
  public var sources: [Source] = []
  /// The dearest first.
  public var portals: [Portal] = []
  /// Frames that the passes were timed in.
  public var frames: Int
  /// Of GL's time in these frames, the part that no pass has.
  public var unattributed: Double?
  /// That the last of these frames counted as shaded.
  public var shadedPixels: Int

  public var frameMilliseconds: Double { stages.reduce(0, +) }
  public var glMilliseconds: Double { FeatureCell.stagesOfGL.reduce(0) { $0 + stages[$1] } }
  /// What layers draw in passes that are no source's picture, portals left out.
  public var ownMilliseconds: Double {
    glMilliseconds - sources.reduce(0) { $0 + $1.drawingMilliseconds + $1.showingMilliseconds }
  }

  init(
    stages: [Double], passes times: PassTimes, unattributed: Double? = nil, shadedPixels: Int,
    shares: [PortalShareOfFrame]
  ) {
    self.stages = stages
    (self.unattributed, self.shadedPixels) = (unattributed, shadedPixels)
    frames = times.frames
    let timed = times.passes
    let whole = timed.reduce(0.0) { $0 + Double($1.nanoseconds) }
    let gl = FeatureCell.stagesOfGL.reduce(0) { $0 + stages[$1] }
    guard whole > 0 else { return }
    var drawing: [String: Double] = [:]
    var showing: [String: Double] = [:]
    var order: [String] = []
    func note(_ source: String) {
      if drawing[source] == nil { order.append(source) }
      drawing[source, default: 0] += 0
      showing[source, default: 0] += 0
    }
    for (number, pass) in timed.enumerated() {
      let time = gl * Double(pass.nanoseconds) / whole
      let shown = shares.filter { $0.pass == number }
      let covered = shown.reduce(0) { $0 + $1.pixels }
      // Quads overlap what portals cover and are more than they; never fewer.
      let perPixel = time / Double(max(1, pass.pixels, covered))
      let ofSource = pass.target.hasPrefix("source ") ? String(pass.target.dropFirst("source ".count)) : nil
      var portalTime = 0.0
      for share in shown {
        let part = perPixel * Double(share.pixels)
        portalTime += part
        note(share.source)
        // What a source's picture shows of another is part of drawing the picture.
        if ofSource == nil { showing[share.source, default: 0] += part }
        portals.append(
          Portal(name: share.portal ?? "(in place)", source: share.source, milliseconds: part, pixels: share.pixels))
      }
      if let ofSource {
        note(ofSource)
        drawing[ofSource, default: 0] += time
      }
      passes.append(
        Pass(
          name: pass.target, milliseconds: time, pixels: pass.pixels, portalMilliseconds: portalTime,
          spread: times.spreads[number]))
    }
    sources = order.map {
      Source(name: $0, drawingMilliseconds: drawing[$0] ?? 0, showingMilliseconds: showing[$0] ?? 0)
    }
    portals.sort { $0.milliseconds > $1.milliseconds }
  }
}

/// What one portal covers of a pass, with names for a person.
struct PortalShareOfFrame {
  var portal: String?
  var source: String
  var pass: Int
  var pixels: Int
}
