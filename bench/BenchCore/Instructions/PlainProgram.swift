import Foundation

/// A copy of a program whose debugging information is not found: valgrind gives up over what newer compilers write there.
/// What runs is the same to the last instruction.
public enum PlainProgram {
  /// The bytes of an ELF file of 64 bits, little end first, in which the names of sections of debugging information are
  /// others. Nil for another kind of file.
  public static func bytes(_ file: [UInt8]) -> [UInt8]? {
    func number(_ offset: Int, _ size: Int) -> Int? {
      guard offset >= 0, offset <= file.count - size else { return nil }
      var value: UInt64 = 0
      for index in 0..<size { value |= UInt64(file[offset + index]) << UInt64(8 * index) }
      return Int(exactly: value)
    }
    guard file.count >= 64, Array(file[0..<6]) == [0x7F, 0x45, 0x4C, 0x46, 2, 1], let table = number(0x28, 8),
      let entry = number(0x3A, 2), let count = number(0x3C, 2), let names = number(0x3E, 2), names < count, entry >= 64
    else { return nil }
    let (distance, isTooFar) = entry.multipliedReportingOverflow(by: names)
    let (header, isBeyond) = table.addingReportingOverflow(distance)
    guard !isTooFar, !isBeyond, header <= file.count - 64, let start = number(header + 0x18, 8),
      let length = number(header + 0x20, 8), start <= file.count, length <= file.count - start
    else { return nil }
    var plain = file
    let word = Array(".debug_".utf8)
    var place = start
    while place + word.count <= start + length {
      if Array(plain[place..<place + word.count]) == word {
        plain[place + 1] = UInt8(ascii: "n")
        plain[place + 2] = UInt8(ascii: "o")
        place += word.count
      } else {
        place += 1
      }
    }
    return plain
  }

  /// Writes the copy; where the program is no such file, its own path is given.
  static func copy(of program: String, to path: String) throws(BenchError) -> String {
    guard let data = FileManager.default.contents(atPath: program), let plain = bytes([UInt8](data)) else {
      return program
    }
    let made = FileManager.default.createFile(
      atPath: path, contents: Data(plain), attributes: [.posixPermissions: 0o755])
    guard made else { throw BenchError(.report, "\(path) can't be written; is there room, and may you write there?") }
    return path
  }
}
