import BenchCore
import Testing

@Suite("help")
struct HelpTests {
  @Test("every example of help is a command line that is understood, and of the command that it stands with")
  func examples() throws {
    for topic in HelpTopic.all {
      #expect(!topic.examples.isEmpty, "\(topic.command) has no example")
      for example in topic.examples {
        let words = Self.words(example)
        #expect(words.first == "porthole-bench" && words.dropFirst().first == topic.command, "\(example)")
        _ = try Command.parse(Array(words.dropFirst()))
      }
    }
  }

  @Test("each command has a help of its own, whichever way one asks; lines fit a terminal")
  func topics() throws {
    for topic in HelpTopic.all {
      for words in [[topic.command, "--help"], [topic.command, "--n", "-h"], ["help", topic.command]] {
        #expect(try Command.parse(words) == .help(topic.command))
      }
      #expect(HelpTopic.overview.contains("  \(topic.command) ") && topic.text.contains(topic.usage[0]))
    }
    for text in HelpTopic.all.map(\.text) + [HelpTopic.overview] {
      for line in text.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }
    #expect(throws: BenchError.self) { try Command.parse(["help", "dance"]) }
  }

  @Test("what asks for help after -- is of the command that is run")
  func afterDashes() throws {
    guard case .bisect = try Command.parse(["bisect", "--good", "a", "--bad", "b", "--", "make", "--help"]) else {
      Issue.record("help was printed in place of what was asked for")
      return
    }
  }

  /// As a shell would read it.
  private static func words(_ line: String) -> [String] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { part in
      part.offset % 2 == 1 ? [String(part.element)] : part.element.split(separator: " ").map(String.init)
    }
  }
}
