/// What `--help` prints of one command.
package struct HelpTopic: Sendable {
  package var command: String
  /// The command lines that there are, without the program's name.
  package var usage: [String]
  /// A line of the overview.
  var summary: String
  package var examples: [String]
  /// Its options, for a terminal 120 columns wide.
  package var details: String

  init(_ command: String, _ usage: [String], _ summary: String, examples: [String], details: String = "") {
    (self.command, self.usage, self.summary, self.examples, self.details) = (command, usage, summary, examples, details)
  }

  static let groups: [(title: String, topics: [HelpTopic])] = [
    ("Measure", measuring), ("Compare", comparing), ("Hold a repository to account", gating), ("Read results", reading),
  ]

  package static var all: [HelpTopic] { groups.flatMap(\.topics) }

  package var text: String {
    var parts = [
      "porthole-bench \(command): \(summary)",
      usage.enumerated().map { ($0.offset == 0 ? "usage: " : "       ") + "porthole-bench \($0.element)" }
        .joined(separator: "\n"),
    ]
    if !details.isEmpty { parts.append(details) }
    parts.append((["examples:"] + examples.map { "  " + $0 }).joined(separator: "\n"))
    return (parts + [Self.exitCodes]).joined(separator: "\n\n")
  }

  /// What `--help` prints where no command is named.
  package static var overview: String {
    let width = (all.map(\.command.count).max() ?? 0) + 2
    let tables = groups.map { group in
      ([group.title + ":"]
        + group.topics.map { topic in
          "  " + topic.command + String(repeating: " ", count: width - topic.command.count) + topic.summary
        }).joined(separator: "\n")
    }
    return
      ([
        "porthole-bench: what portals cost on this machine.",
        """
        usage: porthole-bench COMMAND [options]
               porthole-bench COMMAND --help    what a command takes, with examples
               porthole-bench --version
        """,
      ] + tables + [
        """
        examples:
          porthole-bench scale
          porthole-bench scale --scene my.json --multiply card --move needle
          porthole-bench ab --a blur=off --b blur=on --seconds 20
          porthole-bench duel --base old/porthole-bench --head new/porthole-bench --control
          porthole-bench ci --budget 120s --out out/ci
        """, exitCodes,
      ]).joined(separator: "\n\n")
  }

  private static let exitCodes = """
    exit codes:
       0  measured, or nothing is worse
       1  the tool could not do its work, or a bar falls short
       2  something costs more
       3  a picture was wrong, or a measurement is missing or none
       4  nothing can be said (with --strict)
       5  this machine, or two sides that differ, can't give what was asked for
       6  something costs surely less, and was not blessed (with --strict-improvement)
       7  there is no baseline, or it is too old
      64  the command line is wrong
      Of several it is the first of 1, 3, 5, 7, 2, 6, 4.
    """
}
