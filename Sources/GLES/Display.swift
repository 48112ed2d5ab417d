internal import CEGL
internal import CGBM

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An initialised EGL display and what it stands on. Closed by its owner, once.
final class Display {
  let kind: DisplayKind
  let handle: UnsafeMutableRawPointer
  let version: (major: Int, minor: Int)
  let extensions: Set<Substring>
  private var node: RenderNode?
  private var isOpen = true

  /// Takes over the render node, also when it throws.
  init(kind: DisplayKind, handle: UnsafeMutableRawPointer, node: RenderNode? = nil) throws(DisplayRefusal) {
    version = try DisplayRegistry.open(handle)
    self.kind = kind
    self.handle = handle
    self.node = node
    extensions = EGLLibrary.words(eglQueryString(handle, EGL_EXTENSIONS))
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    DisplayRegistry.close(handle)
    // Only now: EGL uses the node until its end.
    node = nil
  }

  deinit { close() }

  /// The kernel's number (`dev_t`) of the DRM node that draws; nil where none is known, such as for software.
  var drmNode: UInt64? {
    if let node { return Self.deviceNumber(of: node.path) }
    let library = EGLLibrary()
    guard library.extensions.contains("EGL_EXT_device_query") || library.extensions.contains("EGL_EXT_device_base"),
      let queryDisplay = EGLLibrary.procedure("eglQueryDisplayAttribEXT", as: PFNEGLQUERYDISPLAYATTRIBEXTPROC.self),
      let queryString = EGLLibrary.procedure("eglQueryDeviceStringEXT", as: PFNEGLQUERYDEVICESTRINGEXTPROC.self)
    else { return nil }
    var value: EGLAttrib = 0
    guard queryDisplay(handle, EGL_DEVICE_EXT, &value) == EGLBoolean(EGL_TRUE),
      let device = UnsafeMutableRawPointer(bitPattern: Int(value)),
      EGLLibrary.words(queryString(device, EGL_EXTENSIONS)).contains("EGL_EXT_device_drm"),
      let path = queryString(device, EGL_DRM_DEVICE_FILE_EXT)
    else {
      _ = eglGetError()
      return nil
    }
    return Self.deviceNumber(of: String(cString: path))
  }

  private static func deviceNumber(of path: String) -> UInt64? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    return UInt64(status.st_rdev)
  }
}

/// A render node that is open, with the buffer manager on it.
final class RenderNode {
  let path: String
  let manager: OpaquePointer
  private let fileDescriptor: Int32

  init(path: String) throws(DisplayRefusal) {
    let fileDescriptor = open(path, O_RDWR | O_CLOEXEC)
    guard fileDescriptor >= 0 else {
      let code = errno
      let hint = code == EACCES ? "; the user must be in the group that owns it (often render)" : ""
      throw DisplayRefusal("it can't be opened: \(String(cString: strerror(code)))\(hint)")
    }
    guard let manager = gbm_create_device(fileDescriptor) else {
      Self.closeDescriptor(fileDescriptor)
      throw DisplayRefusal("gbm_create_device found no driver for it; is libgl1-mesa-dri installed?")
    }
    self.path = path
    self.manager = manager
    self.fileDescriptor = fileDescriptor
  }

  deinit {
    gbm_device_destroy(manager)
    Self.closeDescriptor(fileDescriptor)
  }

  /// The render nodes of this machine, by number.
  static var paths: [String] {
    (128...191).map { "/dev/dri/renderD\($0)" }.filter { access($0, F_OK) == 0 }
  }

  private static func closeDescriptor(_ fileDescriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(fileDescriptor)
    #else
      _ = Musl.close(fileDescriptor)
    #endif
  }
}
