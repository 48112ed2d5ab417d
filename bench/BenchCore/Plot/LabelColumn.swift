/// Labels beside the ends of curves, moved apart so that none covers another.
package struct LabelColumn {
  /// Where each label would like to be (the middle of its height).
  package var wishes: [Double]
  package var height: Double
  package var top: Double
  package var bottom: Double

  package init(wishes: [Double], height: Double, top: Double, bottom: Double) {
    self.wishes = wishes
    self.height = height
    self.top = top
    self.bottom = bottom
  }

  /// Places in the order of `wishes`: as near to the wishes as can be, and at least `height` apart.
  package var places: [Double] {
    let order = wishes.indices.sorted { wishes[$0] == wishes[$1] ? $0 < $1 : wishes[$0] < wishes[$1] }
    // Groups of labels that touch: each as a block around the mean of its wishes.
    var blocks: [(members: [Int], center: Double)] = []
    for index in order {
      var block = (members: [index], center: clamped(wishes[index], count: 1))
      while let last = blocks.last,
        last.center + Double(last.members.count) * height / 2 > block.center - Double(block.members.count) * height / 2
      {
        blocks.removeLast()
        let members = last.members + block.members
        // The first label's wish, less its offset in the block, and so on: their mean.
        let sum = members.enumerated().reduce(0.0) { sum, entry in
          sum + wishes[entry.element] - (Double(entry.offset) - Double(members.count - 1) / 2) * height
        }
        block = (members, clamped(sum / Double(members.count), count: members.count))
      }
      blocks.append(block)
    }
    var places = [Double](repeating: 0, count: wishes.count)
    for block in blocks {
      for (offset, index) in block.members.enumerated() {
        places[index] = block.center + (Double(offset) - Double(block.members.count - 1) / 2) * height
      }
    }
    return places
  }

  private func clamped(_ center: Double, count: Int) -> Double {
    let half = Double(count) * height / 2
    return max(top + half, min(bottom - half, center))
  }
}
