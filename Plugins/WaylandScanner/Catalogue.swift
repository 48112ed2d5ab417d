/// Every interface of the protocols read together, so that one may refer to another's.
struct Catalogue {
  private var places: [String: (tables: String, index: Int)] = [:]
  private var bitfields: [String: Bool] = [:]

  init(_ protocols: [ProtocolModel]) {
    for model in protocols {
      for (index, interface) in model.interfaces.enumerated() {
        places[interface.name] = (SwiftName.type(model.name) + "Tables", index)
        for enumeration in interface.enumerations {
          bitfields["\(interface.name).\(enumeration.name)"] = enumeration.isBitfield
        }
      }
    }
  }

  /// How a protocol's tables refer to an interface.
  func reference(to interface: String?, from tables: String) -> String {
    guard let interface, let place = places[interface] else { return ".none" }
    return place.tables == tables
      ? ".local(\(place.index))" : ".table(\(place.tables).tables.pointer(\(place.index)))"
  }

  /// The Swift type of an argument's enumeration; nil where the XML names none.
  func type(of argument: ProtocolModel.Argument, in interface: ProtocolModel.Interface) -> String? {
    guard let name = argument.enumeration else { return nil }
    let parts = name.split(separator: ".").map(String.init)
    let (owner, enumeration) = parts.count == 2 ? (parts[0], parts[1]) : (interface.name, name)
    guard bitfields["\(owner).\(enumeration)"] != nil else { return nil }
    return "\(SwiftName.type(owner)).\(SwiftName.enumeration(enumeration))"
  }

  /// What a protocol refers to and nobody declares, a sentence each.
  func faults(of model: ProtocolModel) -> [String] {
    var faults: [String] = []
    for interface in model.interfaces {
      for message in interface.requests + interface.events {
        for argument in message.arguments {
          let place = "\(interface.name).\(message.name), \(argument.name)"
          if let name = argument.interface, places[name] == nil {
            faults.append("\(place): there is no interface '\(name)'; add its protocol to third-party.txt")
          }
          if argument.enumeration != nil, type(of: argument, in: interface) == nil {
            faults.append("\(place): there is no enum '\(argument.enumeration ?? "")'")
          }
        }
      }
    }
    return faults
  }
}
