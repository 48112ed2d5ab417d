import Commit
import Geometry

// Replicators whose instances run later than each other: each instance shows what the sublayers showed so much earlier. Where
// nothing in them moves, and where no replicator has a delay, none of this costs anything.

/// A property of a layer that a portal overrides, so that no animation moves it in that copy.
struct OverriddenProperty: Hashable {
  var slot: Int32
  var name: String
}

extension RenderTree {
  /// How much later than the tree's time some instance shows the layer, at least and at most; 0 is always among it.
  func lag(of slot: Int32) -> ClosedRange<Double> {
    guard rare.delayCount > 0 else { return 0...0 }
    var (least, most) = (0.0, 0.0)
    var inner = slot
    while records[Int(inner)].container >= 0 {
      let outer = records[Int(inner)].container
      if records[Int(inner)].parent >= 0, records[Int(outer)].kind == .replicator,
        let replication = rare.replications[outer], replication.instanceCount > 1
      {
        let last = Double(replication.instanceCount - 1) * replication.instanceDelay
        least += min(0, last)
        most += max(0, last)
      }
      inner = outer
    }
    return least.isFinite && most.isFinite ? least...most : 0...0
  }

  /// A replicator's delay or count has changed, or a layer has come to stand elsewhere: what rests may move again.
  mutating func noteLags() {
    guard rare.delayCount > 0 else { return }
    for index in animations.layers.indices where !animations.layers[index].animations.isEmpty {
      animations.layers[index].isMoving = true
    }
  }

  mutating func setReplication(_ value: Replication?, of slot: Int32) {
    let old = rare.replications[slot]
    rare.replications[slot] = value
    rare.delayCount += (value.map { $0.instanceDelay != 0 } == true ? 1 : 0)
    rare.delayCount -= (old.map { $0.instanceDelay != 0 } == true ? 1 : 0)
    if old?.instanceDelay != value?.instanceDelay || old?.instanceCount != value?.instanceCount { noteLags() }
  }

  /// Whether what moves is seen in the picture of the replicator's sublayer, rather than in where that lies.
  func changesContent(_ moved: MovedLayer) -> Bool {
    let layer = animations.layers[moved.index]
    return layer.slot != moved.sublayer || records[Int(layer.slot)].kind == .transform
      || !layer.properties.allSatisfy(\.property.isPlacement)
  }

  /// The masks in which something of this moves, by the layers that they mask.
  func masks(with moved: [MovedLayer]) -> [Int32: Int32] {
    var result: [Int32: Int32] = [:]
    for entry in moved where entry.isInMask {
      var slot = animations.layers[entry.index].slot
      while slot != entry.sublayer, slot >= 0 {
        if records[Int(slot)].parent < 0 { result[records[Int(slot)].maskedLayer] = slot }
        slot = records[Int(slot)].container
      }
    }
    return result
  }

  /// The animated layers in the sublayers of a replicator, by index in the animations; none where its instances run alike.
  func movedLayers(in replicator: Int32, _ replication: Replication) -> [MovedLayer] {
    guard replication.instanceDelay != 0, replication.instanceCount > 1, rare.delayCount > 0 else { return [] }
    var result: [MovedLayer] = []
    for (index, layer) in animations.layers.enumerated() where layer.isShown {
      var slot = layer.slot
      var isInMask = false
      while records[Int(slot)].container >= 0 {
        let outer = records[Int(slot)].container
        if outer == replicator {
          if records[Int(slot)].parent >= 0 {
            result.append(MovedLayer(index: index, sublayer: slot, isInMask: isInMask))
          }
          break
        }
        if records[Int(slot)].parent < 0 { isInMask = true }
        slot = outer
      }
    }
    return result
  }

  /// Has the records show what they do so much earlier than at the tree's time. To be undone by `restore`, in reverse.
  mutating func show(_ moved: [MovedLayer], earlierBy delay: Double) -> [SetAside] {
    guard delay != 0 else { return [] }
    var aside: [SetAside] = []
    var buffers = AnimationScratch()
    for entry in moved {
      let layer = animations.layers[entry.index]
      aside.append(setAside(layer.slot))
      for (place, property) in layer.properties.enumerated() where property.count > 0 {
        if !scratch.overridden.isEmpty {
          let name = shownChange(property.property, of: layer.slot).name
          if scratch.overridden.contains(OverriddenProperty(slot: layer.slot, name: name)) { continue }
        }
        layer.evaluate(place, at: time - delay, &buffers)
        guard !buffers.value.isEmpty else { continue }
        _ = store(buffers.value, in: property.property, property.index, of: layer.slot)
      }
    }
    return aside
  }
}

/// An animated layer in a replicator.
struct MovedLayer: Sendable {
  /// In the tree's animated layers.
  var index: Int
  /// The slot of the replicator's sublayer that it is or stands in.
  var sublayer: Int32
  var isInMask: Bool
}
