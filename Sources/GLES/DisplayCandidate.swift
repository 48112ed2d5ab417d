internal import CEGL

/// A display that may be there, not yet opened.
enum DisplayCandidate {
  case renderNode(path: String)
  case device(UnsafeMutableRawPointer, name: String)
  case surfaceless

  /// All of a kind, the best first.
  static func all(_ kind: DisplayKind, _ library: EGLLibrary) throws(DisplayRefusal) -> [DisplayCandidate] {
    switch kind {
    case .gbm:
      guard library.extensions.contains("EGL_KHR_platform_gbm") || library.extensions.contains("EGL_MESA_platform_gbm")
      else { throw DisplayRefusal("the EGL library lacks EGL_KHR_platform_gbm and EGL_MESA_platform_gbm") }
      let paths = RenderNode.paths
      guard !paths.isEmpty else { throw DisplayRefusal("there is no render node /dev/dri/renderD128 to renderD191") }
      return paths.map { .renderNode(path: $0) }
    case .device:
      return try devices(library)
    case .surfaceless:
      try library.require("EGL_MESA_platform_surfaceless")
      return [.surfaceless]
    }
  }

  /// Which one of its kind, for a person.
  var detail: String {
    switch self {
    case .renderNode(let path): path
    case .device(_, let name): name
    case .surfaceless: ""
    }
  }

  func open(_ library: EGLLibrary) throws(DisplayRefusal) -> Display {
    switch self {
    case .renderNode(let path):
      let node = try RenderNode(path: path)
      let handle = try library.display(
        platform: EGL_PLATFORM_GBM_KHR, native: UnsafeMutableRawPointer(node.manager))
      return try Display(kind: .gbm, handle: handle, node: node)
    case .device(let device, _):
      let handle = try library.display(platform: EGL_PLATFORM_DEVICE_EXT, native: device)
      return try Display(kind: .device, handle: handle)
    case .surfaceless:
      let handle = try library.display(platform: EGL_PLATFORM_SURFACELESS_MESA, native: nil)
      return try Display(kind: .surfaceless, handle: handle)
    }
  }

  /// EGL's own list, hardware before software.
  private static func devices(_ library: EGLLibrary) throws(DisplayRefusal) -> [DisplayCandidate] {
    try library.require("EGL_EXT_platform_device")
    guard
      library.extensions.contains("EGL_EXT_device_enumeration") || library.extensions.contains("EGL_EXT_device_base"),
      let queryDevices = EGLLibrary.procedure("eglQueryDevicesEXT", as: PFNEGLQUERYDEVICESEXTPROC.self)
    else { throw DisplayRefusal("the EGL library lacks EGL_EXT_device_enumeration") }
    let queryString =
      library.extensions.contains("EGL_EXT_device_query") || library.extensions.contains("EGL_EXT_device_base")
      ? EGLLibrary.procedure("eglQueryDeviceStringEXT", as: PFNEGLQUERYDEVICESTRINGEXTPROC.self) : nil

    var count: EGLint = 0
    guard queryDevices(0, nil, &count) == EGLBoolean(EGL_TRUE) else {
      throw DisplayRefusal(.last("eglQueryDevicesEXT"))
    }
    guard count > 0 else { throw DisplayRefusal("EGL lists no device; is libgl1-mesa-dri installed?") }
    var handles = [UnsafeMutableRawPointer?](repeating: nil, count: Int(count))
    guard queryDevices(count, &handles, &count) == EGLBoolean(EGL_TRUE) else {
      throw DisplayRefusal(.last("eglQueryDevicesEXT"))
    }

    var (hardware, software): ([DisplayCandidate], [DisplayCandidate]) = ([], [])
    for (index, handle) in handles.prefix(Int(max(0, count))).enumerated() {
      guard let handle else { continue }
      let extensions = EGLLibrary.words(queryString?(handle, EGL_EXTENSIONS))
      if extensions.contains("EGL_MESA_device_software") {
        software.append(.device(handle, name: "\(index) (software)"))
      } else if extensions.contains("EGL_EXT_device_drm"),
        let path = queryString?(handle, EGL_DRM_DEVICE_FILE_EXT)
      {
        hardware.append(.device(handle, name: "\(index) (\(String(cString: path)))"))
      } else {
        hardware.append(.device(handle, name: "\(index)"))
      }
    }
    return hardware + software
  }
}
