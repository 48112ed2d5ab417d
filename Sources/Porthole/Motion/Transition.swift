import Commit
import Geometry

/// How a layer comes into the place of another (`CATransition`).
public struct Transition: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// What was there becomes what is there now: at half the time, half of each.
    case fade
    /// What is new slides in above what was there.
    case moveIn
    /// What is new pushes away what was there.
    case push
    /// What was there slides away from what is new.
    case reveal
  }

  /// From which side what is new comes; what was there leaves to the other side.
  public enum Edge: String, Sendable, Hashable, CaseIterable {
    case left, right, top, bottom
  }

  public var kind: Kind
  public var edge: Edge
  /// In seconds.
  public var duration: Double
  public var function: TimingFunction
  /// `reduced`: whatever its kind, it fades.
  public var motion = MotionPolicy.full

  public init(
    _ kind: Kind = .fade, from edge: Edge = .right, duration: Double = 0.25, function: TimingFunction = .default
  ) {
    self.kind = kind
    self.edge = edge
    self.duration = duration
    self.function = function
  }
}

extension Layer {
  /// Puts `new` into the place of the sublayer `old`, by a transition. Both are live all the way: videos play, and portals
  /// of either show it. What moves is cut to the rectangle around both. At its end `old` stands nowhere.
  ///
  /// A transition that begins while `old` still comes in goes on from what is shown.
  /// - Parameter completion: called once, at the end.
  /// - Returns: False, with nothing done and a line in the log, where `old` is no sublayer of this layer, or `new` holds
  ///   this layer.
  @discardableResult
  public final func replaceSublayer(
    _ old: Layer, with new: Layer, transition: Transition, completion: (() -> Void)? = nil
  ) -> Bool {
    // On its way in, it stands in the stage of an earlier transition.
    let leaving = sublayers.contains { $0 === old } ? old : old.superlayer as? TransitionStage
    guard let leaving, leaving.superlayer === self, new !== old, new !== leaving, !new.contains(self) else {
      MisuseLog.report("\(old.label) can't be replaced by \(new.label) in \(label); nothing was changed")
      return false
    }
    TransitionStage(leaving, old, new, transition).run(in: self, completion)
    return true
  }
}
