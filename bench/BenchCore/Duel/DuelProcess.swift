import JSON

/// A side of a duel as a process of a build's own `porthole-bench`.
final class DuelProcess: DuelWorker {
  let identity: DuelIdentity
  private let child: ChildProcess
  private let patience: Double

  /// Starts it and waits until it is ready.
  init(
    program: String, counts: [Int], shape: OutputShape, scenes: String, variables: [String: String], patience: Double
  ) throws(BenchError) {
    let list = counts.map(String.init).joined(separator: ",")
    child = try ChildProcess(
      program,
      [
        DuelService.command, list, "\(shape.width)", "\(shape.height)", NumberText.shortest(shape.scale), scenes,
      ], variables: variables)
    self.patience = patience
    guard case .text(let line) = child.readLine(within: patience), let identity = DuelIdentity(line) else {
      child.kill()
      throw BenchError(.renderer, "\(program) did not become ready for a duel (\(child.end())).")
    }
    // A script may start what it likes.
    if let named = ProgramFile.name(of: program), let running = identity.program, named != running,
      !ProgramFile.isScript(program)
    {
      child.kill()
      throw BenchError(.renderer, "what runs is not \(program): it was written anew since it was started.")
    }
    self.identity = identity
  }

  func sample(_ cell: Int, frames: Int) throws(BenchError) -> RoundSample {
    guard child.send("\(cell) \(frames)") else { throw failure("has gone") }
    switch child.readLine(within: patience) {
    case .text(let line):
      guard let sample = Self.sample(line), sample.wallMilliseconds.count == frames else {
        throw failure("answered with what is no time")
      }
      return sample
    case .end: throw failure("ended (\(child.end()))")
    case .timeout:
      child.kill()
      throw failure("did not answer within \(NumberText.significant(patience, 3)) s")
    }
  }

  private func failure(_ what: String) -> BenchError { BenchError(.renderer, "\(child.program) \(what).") }

  private static func sample(_ line: String) -> RoundSample? {
    guard let document = try? JSONParser.parse([UInt8](line.utf8)) else { return nil }
    let reader = RecordReader(document: document, name: "the worker")
    guard let list = try? reader.array("wall", of: 0), let cpu = try? reader.number("cpu", of: 0) else { return nil }
    let walls = document.children(of: list).compactMap { try? reader.number($0) }
    return RoundSample(wallMilliseconds: walls, cpuMilliseconds: cpu, gpuMilliseconds: try? reader.number("gpu", of: 0))
  }

  func end() {
    child.closeInput()
    // It ends when its input does; one that does not is not waited for longer.
    if child.readAll(within: 5) != nil { _ = child.end() }
  }
}
