import Commit
import FramePlan
import Geometry
import Porthole

/// A renderer of this process that draws a scene of the benchmark's, with all that can be asked of it.
final class SceneCanvas {
  let renderer: OffscreenRenderer

  init(_ size: Size, scale: Double, background: Color) throws(BenchError) {
    do {
      renderer = try OffscreenRenderer(
        size: size, scale: scale, background: background, renderThread: try RenderThread.shared())
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
  }

  /// Draws and waits for the last pixel.
  func draw(_ root: Layer) throws(BenchError) -> DrawnFrame {
    do {
      let report = try renderer.update(root)
      renderer.finish()
      return DrawnFrame(count: FrameCount(report.counters))
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
  }

  func picture(_ root: Layer) throws(BenchError) -> Image {
    do { return try renderer.render(root) } catch { throw BenchError(.renderer, "\(error)") }
  }

  func plan(_ root: Layer) throws(BenchError) -> FramePlan {
    do { return try renderer.plan(root) } catch { throw BenchError(.renderer, "\(error)") }
  }
}
