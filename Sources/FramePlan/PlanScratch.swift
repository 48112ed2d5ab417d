import RenderTree

/// What planning needs for a moment, kept from frame to frame so that nothing is allocated anew.
struct PlanScratch {
  // Contents that are put in order.
  var order: [ContentKey] = []
  var isOrdered: Set<ContentKey> = []
  var contentSteps: [(key: ContentKey?, isLeaving: Bool)] = []
  /// How much the areas below a layer are magnified, while a content is measured.
  var scales: [(end: Int32, scale: Double)] = []
  /// Of walks that are not running.
  var frames: [Frame] = []

  // Passes that are put in order. By target: its pass, or -1.
  var passOfTarget: [Int32] = []
  var isPrepared: [Bool] = []
  var passSteps: [PassStep] = []
  /// Passes that wait while they are looked at, and all runs of their quads.
  var progress: [Int32: PassProgress] = [:]
  var runs: [PassRun] = []
  var segments: [Int32] = []
  /// The items that are next, in a segment and those that it is drawn in.
  var nextItems: [Int32] = []

  /// Of the pass that is compared with the one before it.
  var keys: [RememberedKey] = []
  var revisions: [UInt64] = []
  var comparison = PassComparison()
  /// While it is asked what a frame shows.
  var occlusion = Occlusion()
  /// Of the pass in hand, in what small places it differs.
  var spots = DamageSpots()
}
