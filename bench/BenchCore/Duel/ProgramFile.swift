#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program's file, told from every other one and from what it was before it was written anew.
enum ProgramFile {
  /// Device, number, length and time of the last change. Nil where there is none.
  static func name(of path: String) -> String? {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    return "\(info.st_dev):\(info.st_ino):\(info.st_size):\(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec)"
  }

  /// Whether an interpreter runs it.
  static func isScript(_ path: String) -> Bool {
    guard let file = fopen(path, "r") else { return false }
    defer { fclose(file) }
    return fgetc(file) == Int32(UInt8(ascii: "#")) && fgetc(file) == Int32(UInt8(ascii: "!"))
  }
}
