/// Why numbers are no animation, or an animation has no record.
public struct AnimationRecordError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Fault: Sendable, Hashable {
    /// The numbers end inside an animation.
    case cutShort
    /// Something follows the animation.
    case tooMuch
    /// A number that is no flag, no choice or no whole number where one is needed.
    case wrongValue
    /// Groups that are nested deeper than eight levels.
    case tooDeep
    /// When encoding: more numbers than a record may hold.
    case tooLong
  }

  public var fault: Fault
  /// Of the number at fault.
  public var index: Int

  public init(_ fault: Fault, at index: Int) {
    self.fault = fault
    self.index = index
  }

  public var description: String {
    switch fault {
    case .cutShort: "the animation ends after \(index) numbers, in the middle"
    case .tooMuch: "the animation has come to its end before number \(index)"
    case .wrongValue: "number \(index) of the animation is none that may stand there"
    case .tooDeep: "the group at number \(index) is nested deeper than \(AnimationRecord.deepest) levels"
    case .tooLong: "an animation of \(index) numbers; a record holds \(AnimationRecord.longest)"
    }
  }
}
