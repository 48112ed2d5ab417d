/// Exact counters that a repository keeps as text: a line each, sorted, so that a change is read in a diff and two changes
/// merge; above them, what a reviewer asks: when, of which commit, why.
public struct CounterBaseline: Sendable, Hashable {
  /// `nesting/depth=3 passes`.
  public struct Entry: Sendable, Hashable {
    public var id: String
    public var counter: String
    public var value: Int

    public init(id: String, counter: String, value: Int) { (self.id, self.counter, self.value) = (id, counter, value) }

    var name: String { "\(id) \(counter)" }
  }

  public var entries: [Entry]
  /// A day, as in 2026-11-30; nil for a file without a head.
  public var created: String?
  public var commit: String?
  public var reason: String?
  /// Cells that have another name since.
  public var renames: [String: String] = [:]

  public init(entries: [Entry], created: String? = nil, commit: String? = nil, reason: String? = nil) {
    self.entries = entries.sorted { ($0.id, $0.counter) < ($1.id, $1.counter) }
    (self.created, self.commit, self.reason) = (created, commit, reason)
  }

  /// Throws a sentence that names the file and the line.
  public init(_ text: String, name: String) throws(BenchError) {
    var entries: [Entry] = []
    var seen: Set<String> = []
    self.init(entries: [])
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() where !line.isEmpty
    {
      let words = line.split(separator: " ").map(String.init)
      func failure(_ expected: String) -> BenchError {
        BenchError(.report, "\(name):\(index + 1): expected \(expected), got “\(line)”.")
      }
      if words.first == "#" || line.hasPrefix("#") {
        guard words.count > 2, words[0] == "#" else { continue }
        let rest = words.dropFirst(2).joined(separator: " ")
        switch words[1] {
        case "created": created = rest
        case "commit": commit = rest
        case "reason": reason = rest
        case "rename":
          guard words.count == 4 else { throw failure("# rename OLD NEW") }
          renames[words[2]] = words[3]
        default: break
        }
        continue
      }
      guard words.count == 3, let value = Int(words[2]), value >= 0 else {
        throw failure("a cell, a counter and a number")
      }
      let entry = Entry(id: words[0], counter: words[1], value: value)
      guard seen.insert(entry.name).inserted else { throw failure("each counter once") }
      entries.append(entry)
    }
    self.entries = entries
  }

  /// Lines as `CounterLedger` gives them.
  public static func entries(_ lines: [String]) throws(BenchError) -> [Entry] {
    try CounterBaseline(lines.joined(separator: "\n"), name: "the counters").entries
  }

  public var text: String {
    var head: [String] = []
    if let created { head.append("# created \(created)") }
    if let commit { head.append("# commit \(commit)") }
    if let reason { head.append("# reason \(reason.split(whereSeparator: \.isNewline).joined(separator: " "))") }
    head += renames.sorted { $0.key < $1.key }.map { "# rename \($0.key) \($0.value)" }
    return (head + entries.map { "\($0.name) \($0.value)" }).map { $0 + "\n" }.joined()
  }

  /// Days from its creation to `today`; nil where either is no day.
  public func age(on today: String) -> Int? {
    guard let created, let from = Self.day(created), let to = Self.day(today) else { return nil }
    return to - from
  }

  /// Why it is too old to be held to, or from a day to come; nil where it is not.
  func staleness(on today: String, maximumAge: Int?, name: String) -> String? {
    guard let maximumAge else { return nil }
    guard let age = age(on: today) else { return "\(name) does not say when it was made; bless it anew." }
    guard !(0...maximumAge).contains(age) else { return nil }
    return "\(name) is \(age) days old, and \(maximumAge) are allowed; bless it anew."
  }

  /// Days since the first of March of the year 0, by the calendar's rule of 400 years; nil for what is no day.
  static func day(_ text: String) -> Int? {
    let parts = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2 else { return nil }
    let numbers = parts.map { Int($0) ?? -1 }
    let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard numbers[0] >= 0, (1...12).contains(numbers[1]), numbers[2] >= 1, numbers[2] <= lengths[numbers[1] - 1] else {
      return nil
    }
    // The year begins in March, so that a leap day is its last.
    let year = numbers[1] > 2 ? numbers[0] : numbers[0] - 1
    let month = (numbers[1] + 9) % 12
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + numbers[2] - 1
  }
}

extension CounterBaseline {
  /// What counters do against it. A counter that grew by more than `budget`, as a part of itself, is a regression; one that is
  /// gone is never green; one that is new is a note. Counters that are `advisory` decide nothing.
  public func check(
    _ now: [Entry], budget: Double = 0, isStrictAboutImprovement: Bool = false, advisory: Set<String> = []
  ) -> GateReport {
    let (rows, found) = judge(now, budget: budget, isStrict: isStrictAboutImprovement, advisory: advisory)
    return GateReport(title: "counters", rows: rows, exit: ExitStatus(found))
  }

  func judge(
    _ now: [Entry], budget: Double, isStrict: Bool, advisory: Set<String>
  ) -> (rows: [GateRow], found: [(code: ExitStatus.Code, reason: String)]) {
    let counted = Dictionary(now.map { ($0.name, $0.value) }) { first, _ in first }
    var rows: [GateRow] = []
    var found: [(code: ExitStatus.Code, reason: String)] = []
    var known: Set<String> = []
    for entry in entries {
      let id = renames[entry.id] ?? entry.id
      let name = "\(id) \(entry.counter)"
      known.insert(name)
      func add(_ state: GateRow.State, _ sentence: String, _ code: ExitStatus.Code?) {
        rows.append(
          GateRow(
            id: id, metric: entry.counter, state: state, sentence: sentence,
            isAdvisory: advisory.contains(entry.counter),
            properties: [.init("base", "\(entry.value)")] + (counted[name].map { [.init("head", "\($0)")] } ?? [])))
        if let code, !advisory.contains(entry.counter) { found.append((code, "\(name): \(sentence)")) }
      }
      guard let value = counted[name] else {
        add(.invalid, "in the baseline it is \(NumberText.grouped(entry.value)), and now it is gone", .invalid)
        continue
      }
      let sentence = "\(NumberText.grouped(entry.value)) became \(NumberText.grouped(value))"
      if Double(value) > Double(entry.value) * (1 + budget) {
        add(.failed, sentence, .regression)
      } else if value < entry.value {
        add(.improved, sentence, isStrict ? .improvement : nil)
      } else {
        add(.passed, value == entry.value ? "\(NumberText.grouped(value)), as ever" : sentence, nil)
      }
    }
    for entry in now where !known.contains(entry.name) {
      rows.append(
        GateRow(
          id: entry.id, metric: entry.counter, state: .passed, sentence: "new: \(NumberText.grouped(entry.value))",
          properties: [.init("head", "\(entry.value)")]))
    }
    if entries.isEmpty { found.append((.invalid, "the baseline holds no counter")) }
    return (rows, found)
  }
}
