import Foundation
import TestSupport

/// A browser without a screen, told what to do by its own DevTools.
final class Browser {
  private let process = Process()
  private let folder: URL
  private let wire: WebSocketClient
  private var lastCall = 0
  /// What the page's console and the browser's log said.
  private(set) var complaints: [String] = []

  static let program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  struct Fault: Error { var words: String }

  init(width: Int = 1000, height: Int = 720) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "porthole-browser-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process.executableURL = URL(filePath: Self.program ?? "/usr/bin/chromium")
    // In a container, the superuser has no sandbox and little shared memory.
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--remote-debugging-port=0", "--user-data-dir=\(folder.path)", "about:blank",
    ]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let pump = { Thread.sleep(forTimeInterval: 0.002) }
    do {
      let port = try Self.port(folder, process)
      let list = try WebSocketClient(port: port, path: "/json", headers: ["Host: 127.0.0.1:\(port)"], pump: pump).answer
      struct Target: Decodable { var id, type: String }
      let targets = try JSONDecoder().decode([Target].self, from: Data(list.body))
      guard let page = targets.first(where: { $0.type == "page" }) else { throw Fault(words: "it has no page") }
      wire = try WebSocketClient(port: port, path: "/devtools/page/\(page.id)", origin: nil, pump: pump)
      guard wire.answer.status == 101 else { throw Fault(words: wire.answer.head) }
    } catch {
      process.terminate()
      throw error
    }
    for domain in ["Page", "Runtime", "Log"] { try call("\(domain).enable") }
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
  }

  deinit {
    if process.isRunning {
      process.terminate()
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  private static func port(_ folder: URL, _ process: Process) throws -> Int {
    let end = Date().addingTimeInterval(60)
    while Date() < end, process.isRunning {
      let text = (try? String(contentsOf: folder.appending(path: "DevToolsActivePort"), encoding: .utf8)) ?? ""
      if text.contains("\n"), let port = Int(text.prefix { $0 != "\n" }) { return port }
      Thread.sleep(forTimeInterval: 0.02)
    }
    throw Fault(words: "the browser did not start")
  }

  @discardableResult
  func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    lastCall += 1
    let message = try JSONSerialization.data(withJSONObject: ["id": lastCall, "method": method, "params": parameters])
    try wire.send(kind: 1, [UInt8](message))
    while true {
      guard case .text(let text) = try wire.next() else { throw Fault(words: "the browser is gone") }
      let answer = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
      if let method = answer["method"] as? String {
        // Of the log, what is wrong and not what might be faster.
        if ["Runtime.exceptionThrown", "Runtime.consoleAPICalled"].contains(method)
          || method == "Log.entryAdded" && text.contains("\"level\":\"error\"")
        {
          complaints.append(text)
        }
      } else if answer["id"] as? Int == lastCall {
        guard answer["error"] == nil else { throw Fault(words: "\(method): \(text)") }
        return answer["result"] as? [String: Any] ?? [:]
      }
    }
  }

  func open(_ address: String) throws { try call("Page.navigate", ["url": address]) }

  /// What an expression gives, as JSON has it.
  @discardableResult
  func run(_ expression: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate", ["expression": expression, "awaitPromise": true, "returnByValue": true])
    if let fault = answer["exceptionDetails"] { throw Fault(words: "\(expression): \(fault)") }
    return (answer["result"] as? [String: Any])?["value"]
  }

  /// Looks again and again until an expression is true; false where it never is.
  func wait(_ expression: String, patience: Double = 40) throws -> Bool {
    let end = Date().addingTimeInterval(patience)
    while Date() < end {
      // While a page is being loaded there is nobody to ask.
      if (try? run(expression)) as? Bool == true { return true }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return false
  }

  // MARK: What a hand does

  func mouse(_ type: String, _ x: Double, _ y: Double, button: String = "none") throws {
    try call(
      "Input.dispatchMouseEvent",
      ["type": type, "x": x, "y": y, "button": button, "clickCount": type == "mouseMoved" ? 0 : 1])
  }

  func click(_ x: Double, _ y: Double) throws {
    try mouse("mouseMoved", x, y)
    try mouse("mousePressed", x, y, button: "left")
    try mouse("mouseReleased", x, y, button: "left")
  }

  func key(_ key: String, _ code: String, shift: Bool = false) throws {
    for type in ["keyDown", "keyUp"] {
      try call("Input.dispatchKeyEvent", ["type": type, "key": key, "code": code, "modifiers": shift ? 8 : 0])
    }
  }
}
