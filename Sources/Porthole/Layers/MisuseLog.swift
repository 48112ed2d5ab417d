import Diagnostics

/// Where the library says that it was asked for something that can't be, and so did nothing.
enum MisuseLog {
  static func report(_ sentence: String) { Log.warning("porthole", sentence) }
}
