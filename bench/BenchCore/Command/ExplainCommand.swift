import Foundation
import JSON

extension BenchTool {
  /// What a cell is made of, or what moved in it.
  func explain(_ options: ExplainOptions) throws(BenchError) -> Int32 {
    var cells: [ExplainedCell] = []
    for file in options.files {
      guard let data = FileManager.default.contents(atPath: file) else {
        throw BenchError(.report, "\(file) can't be read.")
      }
      cells.append(try ExplainedCell([UInt8](data), name: file, cell: options.cell))
    }
    guard let head = cells.last else { throw BenchError(.usage, "explain takes a file.") }
    let explanation = Explanation(head, base: cells.count > 1 ? cells[0] : nil)
    if options.printsJSON {
      print(explanation.json.text, terminator: "")
    } else {
      for line in explanation.lines { print(line) }
    }
    let isWhole = cells.allSatisfy { $0.status == Cell.Status.ok.rawValue }
    return (isWhole ? ExitStatus.Code.ok : .invalid).rawValue
  }
}
