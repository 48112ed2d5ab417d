internal import CEGL
internal import CGLES

/// How the pixels of a dma-buf lie in memory, in the words of the kernel's DRM.
public struct DmaBufferFormat: Sendable, Hashable, CustomStringConvertible {
  /// Four letters as a number, the first one lowest.
  public var fourcc: UInt32
  /// How rows and tiles lie; `linear` and `implicit` have names.
  public var modifier: UInt64

  public init(fourcc: UInt32, modifier: UInt64) {
    self.fourcc = fourcc
    self.modifier = modifier
  }

  /// Rows of pixels.
  public static let linear: UInt64 = 0
  /// As the buffer's maker and the driver have agreed upon.
  public static let implicit: UInt64 = 0x00ff_ffff_ffff_ffff

  /// In memory red, green, blue, alpha; premultiplied.
  public static let abgr8888 = code("AB24")
  /// In memory blue, green, red, alpha; premultiplied.
  public static let argb8888 = code("AR24")
  /// As `abgr8888`, opaque.
  public static let xbgr8888 = code("XB24")
  /// As `argb8888`, opaque.
  public static let xrgb8888 = code("XR24")

  /// Those that can be drawn and drawn into: four bytes a pixel, one plane of pixels.
  static let known = [abgr8888, argb8888, xbgr8888, xrgb8888]

  public var isOpaque: Bool { fourcc == Self.xbgr8888 || fourcc == Self.xrgb8888 }

  private static func code(_ letters: StaticString) -> UInt32 {
    letters.withUTF8Buffer { $0.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }

  public var description: String {
    let letters = (0..<4).map { Character(Unicode.Scalar(UInt8(truncatingIfNeeded: fourcc >> ($0 * 8)))) }
    return "\(String(letters)) with modifier 0x\(String(modifier, radix: 16))"
  }
}

/// Which dma-bufs a display can draw and draw into.
public enum DmaBufferSupport: Sendable, Hashable {
  case formats([DmaBufferFormat])
  /// With why, as a sentence without its end.
  case none(reason: String)

  /// Throws where there is no such format, with what there is.
  public func require(_ format: DmaBufferFormat) throws(DmaBufferFault) {
    switch self {
    case .none(let reason): throw DmaBufferFault("this display can't import dma-bufs: \(reason)")
    case .formats(let formats):
      guard formats.contains(format) else {
        let ours = formats.filter { $0.fourcc == format.fourcc }.map { "0x\(String($0.modifier, radix: 16))" }
        throw DmaBufferFault(
          "this display can't import \(format); "
            + (ours.isEmpty
              ? "none of that code" : "of that code it takes the modifiers \(ours.joined(separator: ", "))"))
      }
    }
  }
}

/// Why a dma-buf can't be used, as a clause.
public struct DmaBufferFault: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}

/// EGL's and GL's functions for pictures from elsewhere; nil where the display has not all of them.
struct ImageProcedures {
  let create: PFNEGLCREATEIMAGEKHRPROC
  let destroy: PFNEGLDESTROYIMAGEKHRPROC
  let bind: PFNGLEGLIMAGETARGETTEXTURE2DOESPROC

  init?(display: Display, extensions: Set<String>) {
    guard display.extensions.contains("EGL_KHR_image_base"), extensions.contains("GL_OES_EGL_image"),
      let create = EGLLibrary.procedure("eglCreateImageKHR", as: PFNEGLCREATEIMAGEKHRPROC.self),
      let destroy = EGLLibrary.procedure("eglDestroyImageKHR", as: PFNEGLDESTROYIMAGEKHRPROC.self),
      let bind = EGLLibrary.procedure(
        "glEGLImageTargetTexture2DOES", as: PFNGLEGLIMAGETARGETTEXTURE2DOESPROC.self)
    else { return nil }
    (self.create, self.destroy, self.bind) = (create, destroy, bind)
  }
}

extension DmaBufferSupport {
  /// What a display says of itself.
  init(_ display: Display, _ images: ImageProcedures?) {
    guard images != nil else {
      self = .none(reason: "it lacks EGL_KHR_image_base or GL_OES_EGL_image")
      return
    }
    guard display.extensions.contains("EGL_EXT_image_dma_buf_import") else {
      self = .none(reason: "it lacks EGL_EXT_image_dma_buf_import; a GPU's render node has it as a rule")
      return
    }
    guard display.extensions.contains("EGL_EXT_image_dma_buf_import_modifiers"),
      let query = EGLLibrary.procedure("eglQueryDmaBufModifiersEXT", as: PFNEGLQUERYDMABUFMODIFIERSEXTPROC.self)
    else {
      self = .formats(DmaBufferFormat.known.map { DmaBufferFormat(fourcc: $0, modifier: DmaBufferFormat.implicit) })
      return
    }
    var formats: [DmaBufferFormat] = []
    for fourcc in DmaBufferFormat.known {
      var count: EGLint = 0
      let code = EGLint(bitPattern: fourcc)
      guard query(display.handle, code, 0, nil, nil, &count) == EGLBoolean(EGL_TRUE) else { continue }
      var modifiers = [EGLuint64KHR](repeating: 0, count: Int(max(0, min(count, 1024))))
      var areExternal = [EGLBoolean](repeating: 0, count: modifiers.count)
      if !modifiers.isEmpty {
        guard
          query(display.handle, code, EGLint(modifiers.count), &modifiers, &areExternal, &count)
            == EGLBoolean(EGL_TRUE)
        else { continue }
      }
      formats.append(DmaBufferFormat(fourcc: fourcc, modifier: DmaBufferFormat.implicit))
      // What only an external sampler reads is not drawn into.
      for (modifier, isExternal) in zip(modifiers, areExternal).prefix(Int(max(0, count))) where isExternal == 0 {
        let format = DmaBufferFormat(fourcc: fourcc, modifier: UInt64(modifier))
        if !formats.contains(format) { formats.append(format) }
      }
    }
    // Refused codes leave errors behind.
    _ = eglGetError()
    self = formats.isEmpty ? .none(reason: "it lists no format of 8 bits a channel") : .formats(formats)
  }
}
