import Diagnostics
import Porthole

extension FrameInstruments {
  /// Instruments that time stages and passes.
  static func ofParts() -> FrameInstruments {
    let instruments = FrameInstruments { ProcessClock.monotonicNanoseconds }
    instruments.timesPasses = true
    return instruments
  }

  /// Of the last frame: the CPU's stages, and GL's time as its passes take it, those of sources together.
  func parts(output: String) -> [FramePart] {
    let stages = zip(FeatureCell.stages, nanoseconds).enumerated().filter {
      !FeatureCell.stagesOfGL.contains($0.offset)
    }
    let shown = passes.filter { $0.target == output }.reduce(0.0) { $0 + Double($1.nanoseconds) / 1e6 }
    let all = passes.reduce(0.0) { $0 + Double($1.nanoseconds) / 1e6 }
    return stages.map { FramePart(name: $0.element.0, milliseconds: Double($0.element.1) / 1e6) } + [
      FramePart(name: "drawing the sources", milliseconds: all - shown),
      FramePart(name: "drawing the output", milliseconds: shown),
    ]
  }
}
