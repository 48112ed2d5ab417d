import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Animations that are refused")
struct AnimationCheckTests {
  /// The error of a tree with a layer and a portal of it; nil for what is accepted.
  private func refuse(_ animation: Animation, layer: UInt64 = 1) throws -> CommitError? {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [], [.portal(2, of: 1, x: 0, y: 0, 5, 5)]))
    let before = tree.picture()
    do throws(CommitError) {
      try tree.apply(
        Commit([
          .set(tree.id(1), .opacity(0.5)), .addAnimation(tree.id(layer), key: "move", animation),
        ]))
      return nil
    } catch {
      #expect(tree.picture() == before)
      return error
    }
  }

  private func number(_ timing: AnimationTiming, _ motion: PropertyAnimation.Motion = .numbers(0, 1)) -> Animation {
    Animation(PropertyAnimation(AnimationKeyPath(whole: .zPosition), motion), timing: timing)
  }

  @Test("numbers that are none, by the layer, the key path and the number")
  func notFinite() throws {
    let bad: [(Animation, String)] = [
      (number(AnimationTiming(duration: .nan)), "duration must be a finite number, not nan"),
      (number(AnimationTiming(beginTime: .infinity)), "beginTime"), (number(AnimationTiming(speed: .nan)), "speed"),
      (number(AnimationTiming(timeOffset: -.infinity)), "timeOffset"),
      (number(AnimationTiming(repeatCount: .nan)), "repeatCount"),
      (number(AnimationTiming(function: TimingFunction(0, .nan, 1, 1))), "timing function"),
      (number(AnimationTiming(), .numbers(.nan, 1)), "from must have finite numbers, not nan"),
      (number(AnimationTiming(), .spring(.init(), Spring(mass: .nan))), "mass of a spring"),
      (number(AnimationTiming(), .keyframes(Keyframes([.number(0), .number(.infinity)]))), "values[1]"),
      (number(AnimationTiming(), .keyframes(Keyframes([.number(0)], keyTimes: [.nan]))), "keyTimes[0]"),
    ]
    for (animation, words) in bad {
      let error = try #require(try refuse(animation))
      #expect(error.code == .notFinite && error.layer.rawValue == 1 && error.property == "zPosition")
      #expect(error.description.contains("animation \"move\" of layer 1, zPosition: "))
      #expect(error.description.contains(words), "\(error)")
    }
  }

  @Test("values that can't be")
  func outOfRange() throws {
    let values: [AnimationValue] = [.number(0), .number(1)]
    let bad: [(Animation, String)] = [
      (number(AnimationTiming(duration: -1)), "duration must be 0 or more, not -1.0"),
      (number(AnimationTiming(duration: 0, repeatCount: 3)), "more than 0 where it is repeated"),
      (number(AnimationTiming(repeatCount: -1)), "repeatCount"),
      (number(AnimationTiming(speed: -1, repeatCount: .infinity)), "speed"),
      (number(AnimationTiming(function: TimingFunction(1.5, 0, 1, 1))), "not 1.5"),
      (number(AnimationTiming(), .spring(.init(), Spring(damping: 0))), "never settles"),
      (number(AnimationTiming(), .spring(.init(), Spring(stiffness: -1))), "stiffness"),
      (number(AnimationTiming(duration: 0), .spring(.init(), Spring(damping: 1e-9))), "must settle in 3600 s"),
      (number(AnimationTiming(), .points(.zero, nil)), "from must be a number, not a point"),
      (number(AnimationTiming(), .basic(.init(from: values[0], to: values[1], by: values[1]))), "no more than two"),
      (number(AnimationTiming(), .keyframes(Keyframes([]))), "at least one value"),
      (number(AnimationTiming(), .keyframes(Keyframes(values, keyTimes: [0]))), "2 key times, not 1"),
      (number(AnimationTiming(), .keyframes(Keyframes(values, keyTimes: [0, 0.5]))), "the last of keyTimes must be 1"),
      (number(AnimationTiming(), .keyframes(Keyframes(values, keyTimes: [1, 0]))), "must rise"),
      (number(AnimationTiming(), .keyframes(Keyframes(values, functions: [.linear, .linear]))), "1 timing functions"),
    ]
    for (animation, words) in bad {
      let error = try #require(try refuse(animation), "\(words)")
      #expect(error.code == .outOfRange && error.property == "zPosition")
      #expect(error.description.contains(words), "\(error)")
    }
    var nested = number(AnimationTiming())
    for _ in 0..<8 { nested = Animation(content: .group([nested])) }
    #expect(try refuse(nested)?.description.contains("nested deeper than 8") == true)
    let flag = Animation(
      PropertyAnimation(AnimationKeyPath(whole: .isHidden), .basic(.init(from: .flag(true))), isAdditive: true))
    #expect(try refuse(flag)?.code == .outOfRange)
  }

  @Test("a portal's property of a layer that is none")
  func portals() throws {
    let animation = Animation(PropertyAnimation(AnimationKeyPath(whole: .sourceLayerOpacityScale), .numbers(0, 1)))
    #expect(try refuse(animation)?.code == .notAPortal)
    #expect(try refuse(animation, layer: 2) == nil)
  }

  @Test("an animation of no layer")
  func unknownLayer() throws {
    #expect(try refuse(number(AnimationTiming()), layer: 9)?.code == .unknownLayer)
  }

  @Test("a random one is accepted", arguments: 0..<300)
  func accepted(seed: Int) throws {
    var random = RandomAnimation(seed: UInt64(seed))
    let animation = random.animation()
    #expect(try refuse(animation) == nil, "seed \(seed): \(animation)")
  }

  @Test("key paths are read as they are written")
  func keyPaths() {
    for property in AnimationKeyPath.Property.allCases {
      for part in [.whole] + property.parts {
        let path = AnimationKeyPath(property, part, index: property == .filter ? 3 : 0)
        #expect(path != nil && AnimationKeyPath(path?.description ?? "") == path)
      }
    }
    #expect(AnimationKeyPath("transform.rotation") == AnimationKeyPath(.transform, .rotationZ))
    #expect(AnimationKeyPath("filters.2.radius") == AnimationKeyPath(.filter, index: 2))
    for bad in [
      "", "position.z", "bounds.", "transform.rotation.w", "filters.x.radius", "filters.300.amount", "nothing",
      "filters.1", "filters.-1.amount", "anchorPointX",
    ] {
      #expect(AnimationKeyPath(bad) == nil, "\(bad)")
    }
    #expect(AnimationKeyPath(.opacity, .x) == nil && AnimationKeyPath(.opacity, index: 1) == nil)
  }
}
