/// The machine, as far as it bears on the numbers.
public struct RunEnvironment: Sendable, Hashable {
  public var cpu: String
  public var cores: Int
  public var kernel: String
  public var vendor: String
  public var renderer: String
  /// The version string of the driver.
  public var glVersion: String
  /// The GPU is the CPU.
  public var isSoftware: Bool
  public var timer: TimerVerdict
  /// Variables that change what the driver does, by name; nil for one that is not set.
  public var pins: [Pin]

  public struct Pin: Sendable, Hashable {
    public var name: String
    public var value: String?

    public init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  public init(
    cpu: String, cores: Int, kernel: String, vendor: String, renderer: String, glVersion: String, isSoftware: Bool,
    timer: TimerVerdict, pins: [Pin]
  ) {
    self.cpu = cpu
    self.cores = cores
    self.kernel = kernel
    self.vendor = vendor
    self.renderer = renderer
    self.glVersion = glVersion
    self.isSoftware = isSoftware
    self.timer = timer
    self.pins = pins
  }
}

/// Whether the driver's GPU timer tells the truth, by a workload of known size.
public struct TimerVerdict: Sendable, Hashable {
  public var isPresent: Bool
  public var isValid: Bool
  /// What four times the work took by the timer, in terms of the single work; 4 is the truth.
  public var ratio: Double?
  /// The timer's time of the fourfold work in terms of its wall time.
  public var shareOfWall: Double?
  /// One sentence.
  public var reason: String

  public init(isPresent: Bool, isValid: Bool, ratio: Double? = nil, shareOfWall: Double? = nil, reason: String) {
    self.isPresent = isPresent
    self.isValid = isValid
    self.ratio = ratio
    self.shareOfWall = shareOfWall
    self.reason = reason
  }

  /// Judges a workload of 1 and of 4, timed by the GPU's timer and by the wall, in nanoseconds.
  public static func judging(
    single: Double, fourfold: Double, wallOfFourfold: Double
  ) -> TimerVerdict {
    guard single > 0, fourfold > 0, wallOfFourfold > 0, single.isFinite, fourfold.isFinite, wallOfFourfold.isFinite
    else {
      return TimerVerdict(isPresent: true, isValid: false, reason: "the timer gave no positive time")
    }
    let ratio = fourfold / single
    let share = fourfold / wallOfFourfold
    var verdict = TimerVerdict(isPresent: true, isValid: false, ratio: ratio, shareOfWall: share, reason: "")
    let ratioText = NumberText.significant(ratio, 3)
    let shareText = NumberText.significant(share * 100, 3)
    if ratio < 3 || ratio > 5 {
      verdict.reason = "four times the work took \(ratioText) times as long by the timer (3 to 5 is believed)"
    } else if share > 1.25 {
      verdict.reason = "the timer gave \(shareText) % of the wall time (at most 125 % is believed)"
    } else if share < 0.5 {
      verdict.reason = "the timer gave only \(shareText) % of the wall time (50 % is believed)"
    } else {
      verdict.isValid = true
      verdict.reason = "four times the work took \(ratioText) times as long, \(shareText) % of its wall time"
    }
    return verdict
  }
}
