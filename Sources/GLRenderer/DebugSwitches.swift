import Diagnostics
import FramePlan

/// What `PORTHOLE_DEBUG` switches off.
public enum DebugSwitches {
  private static let copying = "nocopy"
  private static let damage = "damage"

  /// For planners. Names that mean nothing are warned of, once.
  public static let planOptions: PlanOptions = {
    let names = Environment.current.debugSwitches
    let known = PlanOptions.switches + [copying, damage]
    for name in names where !known.contains(name) {
      Log.warning("render", "PORTHOLE_DEBUG has no switch “\(name)”; expected \(known.joined(separator: ", "))")
    }
    return PlanOptions(switches: names)
  }()

  /// Pictures show what was drawn anew for them.
  public static let showsDamage = Environment.current.debugSwitches.contains(damage)

  static let copies = !Environment.current.debugSwitches.contains(copying)
}
