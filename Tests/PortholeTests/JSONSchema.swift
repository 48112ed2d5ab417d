import Foundation

/// A JSON value, as a schema sees it.
enum JSONTree: Decodable, Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    if box.decodeNil() {
      self = .null
    } else if let value = try? box.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? box.decode(Double.self) {
      self = .number(value)
    } else if let value = try? box.decode(String.self) {
      self = .string(value)
    } else if let value = try? box.decode([JSONTree].self) {
      self = .array(value)
    } else {
      self = .object(try box.decode([String: JSONTree].self))
    }
  }

  static func parse(_ text: some DataProtocol) throws -> JSONTree {
    try JSONDecoder().decode(JSONTree.self, from: Data(text))
  }

  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    case .string(let value): Self.quoted(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { Self.quoted($0.key) + ": " + $0.value.text }
        .joined(separator: ", ") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }

  subscript(key: String) -> JSONTree? {
    if case .object(let members) = self { return members[key] }
    return nil
  }
}

/// As much of JSON Schema 2020-12 as docs/scene.schema.json is written in. A keyword beyond that is no keyword that can be
/// passed over: it throws.
struct JSONSchema {
  struct UnknownKeyword: Error {
    var keyword: String
  }

  let root: JSONTree

  /// The first place where the value does not do what the schema says; nil for a valid one.
  func fault(in value: JSONTree) throws -> String? { try fault(value, root, "$") }

  private func fault(_ value: JSONTree, _ schema: JSONTree, _ path: String) throws -> String? {
    if case .bool(let allowed) = schema { return allowed ? nil : "\(path): not allowed" }
    guard case .object(let keywords) = schema else { throw UnknownKeyword(keyword: schema.text) }
    for (keyword, rule) in keywords.sorted(by: { $0.key < $1.key }) {
      if let fault = try fault(value, keyword, rule, keywords, path) { return fault }
    }
    return nil
  }

  private func fault(
    _ value: JSONTree, _ keyword: String, _ rule: JSONTree, _ keywords: [String: JSONTree], _ path: String
  ) throws -> String? {
    func isValid(_ schema: JSONTree) throws -> Bool { try fault(value, schema, path) == nil }
    let complaint = "\(path): \(keyword) \(rule.text.prefix(60))"
    switch (keyword, rule) {
    case ("$schema", _), ("$defs", _), ("title", _), ("description", _), ("contentEncoding", _): return nil
    case ("then", _), ("else", _): return nil
    case ("$ref", .string(let name)):
      guard let target = root["$defs"]?[String(name.dropFirst("#/$defs/".count))] else {
        throw UnknownKeyword(keyword: name)
      }
      return try fault(value, target, path)
    case ("type", .string(let name)): return hasType(value, name) ? nil : complaint
    case ("type", .array(let names)):
      return names.contains { if case .string(let name) = $0 { hasType(value, name) } else { false } } ? nil : complaint
    case ("enum", .array(let values)): return values.contains(value) ? nil : complaint
    case ("const", _): return value == rule ? nil : complaint
    case ("anyOf", .array(let schemas)): return try schemas.contains(where: isValid) ? nil : complaint
    case ("oneOf", .array(let schemas)): return try schemas.filter(isValid).count == 1 ? nil : complaint
    case ("allOf", .array(let schemas)):
      for schema in schemas { if let fault = try fault(value, schema, path) { return fault } }
      return nil
    case ("if", _):
      guard let schema = keywords[try isValid(rule) ? "then" : "else"] else { return nil }
      return try fault(value, schema, path)
    default: break
    }
    switch (keyword, rule, value) {
    case ("properties", .object(let properties), .object(let members)):
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        if let schema = properties[key], let fault = try fault(member, schema, "\(path).\(key)") { return fault }
      }
    case ("additionalProperties", _, .object(let members)):
      let known = keywords["properties"] ?? .object([:])
      for (key, member) in members.sorted(by: { $0.key < $1.key }) where known[key] == nil {
        if let fault = try fault(member, rule, "\(path).\(key)") { return fault }
      }
    case ("required", .array(let names), .object(let members)):
      return names.allSatisfy { if case .string(let name) = $0 { members[name] != nil } else { false } }
        ? nil : complaint
    case ("prefixItems", .array(let rules), .array(let values)):
      for (index, (rule, element)) in zip(rules, values).enumerated() {
        if let fault = try fault(element, rule, "\(path)[\(index)]") { return fault }
      }
      return nil
    case ("items", _, .array(let values)):
      for (index, element) in values.enumerated() {
        if let fault = try fault(element, rule, "\(path)[\(index)]") { return fault }
      }
    case ("minItems", .number(let limit), .array(let values)): return Double(values.count) >= limit ? nil : complaint
    case ("maxItems", .number(let limit), .array(let values)): return Double(values.count) <= limit ? nil : complaint
    case ("minimum", .number(let limit), .number(let number)): return number >= limit ? nil : complaint
    case ("maximum", .number(let limit), .number(let number)): return number <= limit ? nil : complaint
    case ("exclusiveMinimum", .number(let limit), .number(let number)): return number > limit ? nil : complaint
    case ("minLength", .number(let limit), .string(let text)):
      return Double(text.unicodeScalars.count) >= limit ? nil : complaint
    case ("maxLength", .number(let limit), .string(let text)):
      return Double(text.unicodeScalars.count) <= limit ? nil : complaint
    case ("pattern", .string(let pattern), .string(let text)):
      return try text.firstMatch(of: Regex(pattern)) != nil ? nil : complaint
    // What is about another type of value.
    case ("properties", .object, _), ("additionalProperties", _, _), ("required", .array, _), ("items", _, _),
      ("prefixItems", .array, _), ("minItems", .number, _), ("maxItems", .number, _), ("minimum", .number, _),
      ("maximum", .number, _),
      ("exclusiveMinimum", .number, _), ("minLength", .number, _), ("maxLength", .number, _), ("pattern", .string, _):
      break
    default: throw UnknownKeyword(keyword: keyword)
    }
    return nil
  }

  private func hasType(_ value: JSONTree, _ name: String) -> Bool {
    switch (value, name) {
    case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
      (.object, "object"):
      true
    case (.number(let number), "integer"): number == number.rounded()
    default: false
    }
  }
}
