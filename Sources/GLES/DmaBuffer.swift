internal import CEGL
internal import CGLES
internal import CLinux
import Geometry
import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A picture in a dma-buf: memory of a driver's that other processes and devices can use too.
public final class DmaBuffer: Sendable {
  /// One part of it in memory. Formats with a modifier may have more than one.
  public struct Plane: Sendable {
    public var descriptor: SharedDescriptor
    /// In bytes, of the first row.
    public var offset: UInt32
    /// Bytes from row to row.
    public var stride: UInt32

    public init(_ descriptor: SharedDescriptor, offset: UInt32, stride: UInt32) {
      self.descriptor = descriptor
      self.offset = offset
      self.stride = stride
    }
  }

  public let size: PixelSize
  public let format: DmaBufferFormat
  public let planes: [Plane]

  public static let longestSide = 16384
  public static let mostPlanes = 4

  /// - Throws: for what is no picture in dma-bufs, whatever the display.
  public init(size: PixelSize, format: DmaBufferFormat, planes: [Plane]) throws(DmaBufferFault) {
    guard (1...Self.longestSide).contains(size.width), (1...Self.longestSide).contains(size.height) else {
      throw DmaBufferFault("\(size.width) × \(size.height) pixels are no picture")
    }
    guard (1...Self.mostPlanes).contains(planes.count) else {
      throw DmaBufferFault("\(planes.count) planes; a picture has 1 to \(Self.mostPlanes)")
    }
    for (index, plane) in planes.enumerated() {
      guard plane.stride > 0, plane.stride <= UInt32(Int32.max), plane.offset <= UInt32(Int32.max) else {
        throw DmaBufferFault("plane \(index) has rows of \(plane.stride) bytes from byte \(plane.offset) on")
      }
    }
    var end = 0
    if format.modifier == DmaBufferFormat.linear, let plane = planes.first {
      guard planes.count == 1, Int(plane.stride) >= size.width * 4 else {
        throw DmaBufferFault("rows of \(plane.stride) bytes don't hold \(size.width) pixels of 4 bytes in one plane")
      }
      end = Int(plane.offset) + Int(plane.stride) * (size.height - 1) + size.width * 4
    }
    for (index, plane) in planes.enumerated() {
      guard clinux_is_dma_buffer(plane.descriptor.rawValue) != 0 else {
        throw DmaBufferFault("the descriptor of plane \(index) is no dma-buf")
      }
      let bytes = lseek(plane.descriptor.rawValue, 0, SEEK_END)
      guard bytes < 0 || end <= Int(bytes) else {
        throw DmaBufferFault("the picture ends at byte \(end) of a dma-buf of \(bytes)")
      }
    }
    self.size = size
    self.format = format
    self.planes = planes
  }

  /// For tests, with nothing checked: only a server with a driver of theirs takes it.
  package init(unchecked size: PixelSize, format: DmaBufferFormat, planes: [Plane]) {
    (self.size, self.format, self.planes) = (size, format, planes)
  }

  fileprivate var attributes: [EGLint] {
    let names: [[Int32]] = [
      [
        EGL_DMA_BUF_PLANE0_FD_EXT, EGL_DMA_BUF_PLANE0_OFFSET_EXT, EGL_DMA_BUF_PLANE0_PITCH_EXT,
        EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT, EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
      ],
      [
        EGL_DMA_BUF_PLANE1_FD_EXT, EGL_DMA_BUF_PLANE1_OFFSET_EXT, EGL_DMA_BUF_PLANE1_PITCH_EXT,
        EGL_DMA_BUF_PLANE1_MODIFIER_LO_EXT, EGL_DMA_BUF_PLANE1_MODIFIER_HI_EXT,
      ],
      [
        EGL_DMA_BUF_PLANE2_FD_EXT, EGL_DMA_BUF_PLANE2_OFFSET_EXT, EGL_DMA_BUF_PLANE2_PITCH_EXT,
        EGL_DMA_BUF_PLANE2_MODIFIER_LO_EXT, EGL_DMA_BUF_PLANE2_MODIFIER_HI_EXT,
      ],
      [
        EGL_DMA_BUF_PLANE3_FD_EXT, EGL_DMA_BUF_PLANE3_OFFSET_EXT, EGL_DMA_BUF_PLANE3_PITCH_EXT,
        EGL_DMA_BUF_PLANE3_MODIFIER_LO_EXT, EGL_DMA_BUF_PLANE3_MODIFIER_HI_EXT,
      ],
    ]
    var list = [
      EGL_WIDTH, EGLint(size.width), EGL_HEIGHT, EGLint(size.height), EGL_LINUX_DRM_FOURCC_EXT,
      EGLint(bitPattern: format.fourcc), EGL_IMAGE_PRESERVED_KHR, EGL_TRUE,
    ]
    for (names, plane) in zip(names, planes) {
      list += [
        names[0], plane.descriptor.rawValue, names[1], EGLint(clamping: plane.offset), names[2],
        EGLint(clamping: plane.stride),
      ]
      guard format.modifier != DmaBufferFormat.implicit else { continue }
      list += [
        names[3], EGLint(truncatingIfNeeded: format.modifier), names[4],
        EGLint(truncatingIfNeeded: format.modifier >> 32),
      ]
    }
    return list + [EGL_NONE]
  }
}

extension Device {
  /// A texture whose pixels are those of the dma-buf, with no copy. What others draw there shows once their fences are passed.
  /// - Throws: `unsupported` where the display can't, `failed` where the driver refuses this one.
  public func makeTexture(importing buffer: DmaBuffer, label: String) throws(DeviceError) -> Texture {
    beginCall()
    defer { endCall() }
    do { try capabilities.dmaBuffers.require(buffer.format) } catch {
      throw DeviceError(.unsupported, error.description)
    }
    return try makeTexture(size: buffer.size, label: label) { [buffer] images, display in
      buffer.attributes.withUnsafeBufferPointer {
        images.create(display, nil, EGLenum(EGL_LINUX_DMA_BUF_EXT), nil, $0.baseAddress)
      }
    }
  }

  /// A texture that shares another's pixels, as one of a dma-buf shares the memory's; a test's way to what comes after EGL.
  package func makeTexture(sharing other: Texture, label: String) throws(DeviceError) -> Texture {
    beginCall()
    defer { endCall() }
    let name = UnsafeMutableRawPointer(bitPattern: UInt(other.name))
    return try makeTexture(size: other.size, label: label) { [context] images, display in
      images.create(display, context.handle, EGLenum(EGL_GL_TEXTURE_2D_KHR), name, [EGL_NONE])
    }
  }

  private func makeTexture(
    size: PixelSize, label: String, from make: (ImageProcedures, UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
  ) throws(DeviceError) -> Texture {
    let display = context.display.handle
    guard let images else { throw DeviceError(.unsupported, "this display has no pictures from elsewhere") }
    guard let image = make(images, display) else {
      throw DeviceError(.failed, "the driver refuses '\(label)': \(EGLFailure.last("eglCreateImageKHR"))")
    }
    // The texture keeps what the image stands for.
    defer { _ = images.destroy(display, image) }
    noteErrors()
    var name: GLuint = 0
    glGenTextures(1, &name)
    let texture = Texture(
      name: name, size: size, format: .rgba8, levels: 1, label: label, graveyard: graveyard)
    bind(texture, unit: 0)
    images.bind(GLenum(GL_TEXTURE_2D), image)
    if let error = takeNewErrors().first {
      throw DeviceError(.failed, "the driver makes no texture of '\(label)': \(error)")
    }
    setLabel(GL_TEXTURE, name, label)
    return texture
  }

  /// Has everything that is drawn from now on wait until a fence of a driver's is passed: on the GPU where the display can, else
  /// here, no longer than a second.
  /// - Returns: false where it was not passed in time.
  @discardableResult
  public func wait(forFence fence: SharedDescriptor) -> Bool {
    // A second would be long to keep others from their turn; drivers that need turns have no such fences.
    assertOnThread()
    if let fences, let copy = try? fence.descriptor.duplicate() {
      let number = copy.release()
      let attributes: [EGLint] = [EGL_SYNC_NATIVE_FENCE_FD_ANDROID, number, EGL_NONE]
      let display = context.display.handle
      if let sync = fences.create(display, EGLenum(EGL_SYNC_NATIVE_FENCE_ANDROID), attributes) {
        defer { _ = fences.destroy(display, sync) }
        if fences.wait(display, sync, 0) == EGL_TRUE { return true }
      } else {
        // Only a sync takes the descriptor over.
        _ = FileDescriptor(adopting: number)
      }
    }
    return clinux_wait_readable(fence.rawValue, 1000) == 1
  }
}

/// EGL's functions for fences of the kernel's; nil where the display has not all of them.
struct FenceProcedures {
  let create: PFNEGLCREATESYNCKHRPROC
  let wait: PFNEGLWAITSYNCKHRPROC
  let destroy: PFNEGLDESTROYSYNCKHRPROC

  init?(display: Display) {
    guard display.extensions.contains("EGL_ANDROID_native_fence_sync"),
      display.extensions.contains("EGL_KHR_wait_sync"),
      let create = EGLLibrary.procedure("eglCreateSyncKHR", as: PFNEGLCREATESYNCKHRPROC.self),
      let wait = EGLLibrary.procedure("eglWaitSyncKHR", as: PFNEGLWAITSYNCKHRPROC.self),
      let destroy = EGLLibrary.procedure("eglDestroySyncKHR", as: PFNEGLDESTROYSYNCKHRPROC.self)
    else { return nil }
    (self.create, self.wait, self.destroy) = (create, wait, destroy)
  }
}
