import Foundation
import FoundationXML

/// Reads a protocol's XML.
final class ProtocolReader: NSObject, XMLParserDelegate {
  private let file: String
  private var model = ProtocolModel()
  private var fault: ScanError?
  private var text = ""
  private var summary = ""
  /// The elements that are open, outermost first.
  private var path: [String] = []

  private init(file: String) { self.file = file }

  static func read(_ url: URL) throws(ScanError) -> ProtocolModel {
    guard let data = try? Data(contentsOf: url) else { throw ScanError("\(url.path): error: cannot be read") }
    let reader = ProtocolReader(file: url.path)
    let parser = XMLParser(data: data)
    parser.delegate = reader
    let isRead = parser.parse()
    if let fault = reader.fault { throw fault }
    guard isRead else {
      throw ScanError(
        file: url.path, line: parser.lineNumber, parser.parserError?.localizedDescription ?? "this is no XML")
    }
    return reader.model
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    path.append(element)
    do throws(ScanError) {
      try open(element, Attributes(values: attributes, element: element, file: file, line: parser.lineNumber))
    } catch {
      if fault == nil { fault = error }
      parser.abortParsing()
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
  ) {
    path.removeLast()
    if element == "description", let owner = path.last { describe(owner, Prose(summary: summary, text: text)) }
  }

  private typealias Prose = ProtocolModel.Prose

  private func open(_ element: String, _ attributes: Attributes) throws(ScanError) {
    switch element {
    case "protocol": model.name = try attributes.text("name")
    case "interface":
      model.interfaces.append(
        .init(name: try attributes.text("name"), version: try attributes.number("version", default: nil)))
    case "request", "event":
      let message = ProtocolModel.Message(
        name: try attributes.text("name"), isDestructor: attributes.values["type"] == "destructor",
        since: try attributes.number("since", default: 1))
      try change(attributes) { interface in
        if element == "request" { interface.requests.append(message) } else { interface.events.append(message) }
      }
    case "arg": try openArgument(attributes)
    case "enum":
      let enumeration = ProtocolModel.Enumeration(
        name: try attributes.text("name"), isBitfield: attributes.values["bitfield"] == "true")
      try change(attributes) { $0.enumerations.append(enumeration) }
    case "entry":
      let entry = ProtocolModel.Entry(
        name: try attributes.text("name"), value: try attributes.value("value"),
        summary: attributes.values["summary"] ?? "")
      try change(attributes) { interface in
        guard !interface.enumerations.isEmpty else { return }
        interface.enumerations[interface.enumerations.count - 1].entries.append(entry)
      }
    case "description":
      summary = attributes.values["summary"] ?? ""
      text = ""
    case "copyright": break
    default: throw attributes.fault("<\(element)> is no element of a Wayland protocol")
    }
  }

  private func openArgument(_ attributes: Attributes) throws(ScanError) {
    let word = try attributes.text("type")
    guard let kind = ProtocolModel.Argument.Kind(rawValue: word) else {
      throw attributes.fault("there is no argument type '\(word)'")
    }
    let argument = ProtocolModel.Argument(
      name: try attributes.text("name"), kind: kind, interface: attributes.values["interface"],
      enumeration: attributes.values["enum"], allowsNull: attributes.values["allow-null"] == "true",
      summary: attributes.values["summary"] ?? "")
    let isEvent = path.dropLast().last == "event"
    if argument.interface == nil, isEvent ? kind == .newID : kind == .object {
      throw attributes.fault("'\(argument.name)' needs an interface")
    }
    try change(attributes) { interface in
      if isEvent {
        guard !interface.events.isEmpty else { return }
        interface.events[interface.events.count - 1].arguments.append(argument)
      } else {
        guard !interface.requests.isEmpty else { return }
        interface.requests[interface.requests.count - 1].arguments.append(argument)
      }
    }
  }

  private func change(
    _ attributes: Attributes, _ body: (inout ProtocolModel.Interface) -> Void
  ) throws(ScanError) {
    guard !model.interfaces.isEmpty else { throw attributes.fault("<\(attributes.element)> stands in no interface") }
    body(&model.interfaces[model.interfaces.count - 1])
  }

  private func describe(_ owner: String, _ prose: Prose) {
    guard owner != "protocol" else {
      model.prose = prose
      return
    }
    guard !model.interfaces.isEmpty else { return }
    let last = model.interfaces.count - 1
    switch owner {
    case "interface": model.interfaces[last].prose = prose
    case "request" where !model.interfaces[last].requests.isEmpty:
      model.interfaces[last].requests[model.interfaces[last].requests.count - 1].prose = prose
    case "event" where !model.interfaces[last].events.isEmpty:
      model.interfaces[last].events[model.interfaces[last].events.count - 1].prose = prose
    case "enum" where !model.interfaces[last].enumerations.isEmpty:
      model.interfaces[last].enumerations[model.interfaces[last].enumerations.count - 1].prose = prose
    default: break
    }
  }
}

/// One element's attributes, and where it stands.
private struct Attributes {
  var values: [String: String]
  var element: String
  var file: String
  var line: Int

  func fault(_ message: String) -> ScanError { ScanError(file: file, line: line, message) }

  func text(_ name: String) throws(ScanError) -> String {
    guard let text = values[name], !text.isEmpty else { throw fault("<\(element)> needs the attribute '\(name)'") }
    return text
  }

  func number(_ name: String, default standard: Int?) throws(ScanError) -> Int {
    if values[name] == nil, let standard { return standard }
    let text = try text(name)
    guard let number = Int(text), 1...0xFFFF ~= number else { throw fault("'\(text)' is no version") }
    return number
  }

  /// Decimal or, with `0x`, hexadecimal.
  func value(_ name: String) throws(ScanError) -> UInt32 {
    let text = try text(name)
    let number = text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    guard let number else { throw fault("'\(text)' is no unsigned number of 32 bits") }
    return number
  }
}
