/// What to try about a number that moved, or that is large: sentences of what usually lies behind it.
enum Advice {
  static func onCounter(_ name: String) -> String? {
    switch name {
    case "passes":
      "more targets are drawn: a group, mask or filter got one of its own, or a source shows at more scales; portals of "
        + "one source at one scale share a picture"
    case "batches":
      "quads that could share a draw call do not: portals of one source do, with one blend mode and one clip"
    case "quads": "more is drawn: what lies behind opaque layers is left out, what lies behind see-through ones is not"
    case "layers_visited": "more layers are resolved anew: what is changed in each frame without need?"
    case "shaded_pixels":
      "more pixels are covered: layers that overlap, larger targets, wider blurs, sources drawn larger than they show"
    default: nil
    }
  }

  static func onPart(_ name: String) -> String {
    switch name {
    case "apply": "more layers or properties are set in a frame: set what changed alone"
    case "animate": "more layers are animated at once"
    case "resolve", "plan":
      "the CPU's work for each layer: counters --instructions counts it without noise, and perf record says where"
    case "draw": "handing the plan to the driver: fewer batches, and smaller uploads"
    case "finish": "the GPU's own work: fewer pixels, cheaper filters"
    case "output", "drawing the output":
      "what shows last: portals that overlap, and what is blended and could be opaque"
    default:
      name.hasPrefix("source") || name == "drawing the sources"
        ? "a source's picture is drawn: does it change in each frame, and is it drawn larger than it shows?"
        : "a target of its own: a group, mask, filter or backdrop; a smaller radius or a smaller layer costs less"
    }
  }

  static let onNothing =
    "nothing moved beyond chance: porthole-bench duel --control says whether the builds differ at all"
  static let onSameCounters =
    "the counters are the same, so the same work takes longer: a driver, a shader, or where things lie in memory; "
    + "counters --instructions and duel --control tell these apart"
}
