// swift-tools-version: 6.2
import PackageDescription

/// Every target of the house: warnings are errors, and importing a module never re-exports it by accident.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The pure targets, which hold values and touch no pointer, are also checked for memory safety.
let pure: [SwiftSetting] = strict + [.strictMemorySafety()]

/// One of Debian's C libraries, found by pkg-config.
func system(_ name: String, pkgConfig: String, apt package: String) -> Target {
  .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
  name: "Porthole",
  products: [
    .library(name: "Porthole", targets: ["Porthole"]),
    .library(name: "PortholeMedia", targets: ["Media"]),
    .executable(name: "porthole", targets: ["porthole"]),
    .executable(name: "portholed", targets: ["portholed"]),
    .executable(name: "porthole-bench", targets: ["porthole-bench"]),
    // For wlcs, Wayland's conformance suite, which loads it.
    .library(name: "porthole-wlcs", type: .dynamic, targets: ["PortholeWLCS"]),
  ],
  targets: [
    // System libraries.
    system("CEGL", pkgConfig: "egl", apt: "libegl-dev"),
    system("CGLES", pkgConfig: "glesv2", apt: "libgles-dev"),
    system("CGBM", pkgConfig: "gbm", apt: "libgbm-dev"),
    system("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
    .target(name: "CPNGShim", dependencies: ["CPNG"], path: "Sources/C/CPNGShim"),
    system("CLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev"),
    system("CTurboJPEG", pkgConfig: "libturbojpeg", apt: "libturbojpeg0-dev"),
    system("CWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
    .systemLibrary(name: "CCairo", path: "Sources/C/CCairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(name: "CPango", path: "Sources/C/CPango", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(name: "CRSVG", path: "Sources/C/CRSVG", providers: [.apt(["librsvg2-dev"])]),
    system("CFFmpeg", pkgConfig: "libavformat", apt: "libavformat-dev"),
    system("CWayland", pkgConfig: "wayland-server", apt: "libwayland-dev"),
    system("CWebSockets", pkgConfig: "libwebsockets", apt: "libwebsockets-dev"),
    system("CXKBCommon", pkgConfig: "xkbcommon", apt: "libxkbcommon-dev"),
    .target(name: "CWaylandShim", dependencies: ["CWayland"], path: "Sources/C/CWaylandShim"),
    .target(name: "CLinux", path: "Sources/C/CLinux"),
    .target(name: "CAllocations", path: "Sources/C/CAllocations"),

    // Values: no GL, no system calls.
    .target(name: "Geometry", swiftSettings: pure),
    .target(name: "JSON", swiftSettings: pure),
    .target(name: "Commit", dependencies: ["Geometry"], swiftSettings: pure),
    .target(name: "CommitCoding", dependencies: ["Geometry", "Commit"], swiftSettings: pure),
    .target(name: "RenderTree", dependencies: ["Geometry", "Commit"], swiftSettings: pure),
    .target(name: "FramePlan", dependencies: ["Geometry", "Commit", "RenderTree"], swiftSettings: pure),
    .target(name: "ReferenceRenderer", dependencies: ["Geometry", "Commit", "RenderTree"], swiftSettings: pure),

    // The machine: system calls and GL.
    .target(name: "Diagnostics", dependencies: ["CLinux"], swiftSettings: strict),
    .target(name: "LinuxIO", dependencies: ["CLinux", "Diagnostics"], swiftSettings: strict),
    .target(
      name: "GLES", dependencies: ["CEGL", "CGLES", "CGBM", "CLinux", "Geometry", "LinuxIO", "Diagnostics"],
      swiftSettings: strict),
    .target(name: "Shaderset", swiftSettings: strict, plugins: ["EmbedShaders"]),
    .plugin(name: "EmbedShaders", capability: .buildTool(), dependencies: ["ShaderEmbedder"]),
    .executableTarget(name: "ShaderEmbedder", path: "Plugins/ShaderEmbedder", swiftSettings: strict),
    .target(
      name: "GLRenderer",
      dependencies: ["GLES", "FramePlan", "Shaderset", "Commit", "Geometry", "LinuxIO", "Diagnostics"],
      swiftSettings: strict),

    // Pictures in files.
    .target(
      name: "ImageFiles",
      dependencies: [
        "Commit", "Geometry", "Diagnostics", "CPNG", "CPNGShim", "CLCMS", "CTurboJPEG", "CWebP",
      ], swiftSettings: strict),

    // Paths and text as pixels.
    .target(
      name: "VectorGraphics", dependencies: ["Commit", "Geometry", "CCairo", "CPango"], swiftSettings: strict),

    // The wire.
    .target(
      name: "WaylandProtocol", dependencies: ["CWayland", "CWaylandShim", "LinuxIO", "Diagnostics"],
      swiftSettings: strict, plugins: ["ScanWayland"]),
    .target(
      name: "WaylandClient", dependencies: ["WaylandProtocol", "CWaylandShim", "LinuxIO", "Diagnostics"],
      swiftSettings: strict),
    .plugin(name: "ScanWayland", capability: .buildTool(), dependencies: ["WaylandScanner"]),
    .executableTarget(name: "WaylandScanner", path: "Plugins/WaylandScanner", swiftSettings: strict),

    // The library and its tools.
    .target(
      name: "Porthole",
      dependencies: [
        "Geometry", "Commit", "CommitCoding", "RenderTree", "FramePlan", "GLRenderer", "GLES", "ReferenceRenderer",
        "WaylandClient", "WaylandProtocol", "LinuxIO", "Diagnostics", "ImageFiles", "VectorGraphics", "JSON",
      ], swiftSettings: strict),
    .target(
      name: "Media", dependencies: ["Porthole", "Commit", "Geometry", "ImageFiles", "CFFmpeg"], swiftSettings: strict),
    .target(name: "Examples", dependencies: ["Porthole", "Media"], swiftSettings: strict),
    .executableTarget(name: "porthole-examples", dependencies: ["Examples"], swiftSettings: strict),
    .executableTarget(
      name: "porthole",
      dependencies: [
        "Porthole", "Media", "RenderServer", "CommitCoding", "WaylandClient", "WaylandProtocol", "LinuxIO", "JSON",
      ],
      swiftSettings: strict),

    // The server.
    .target(
      name: "LiveView", dependencies: ["CWebSockets", "Geometry", "ImageFiles", "JSON", "LinuxIO", "Diagnostics"],
      resources: [
        "index.html", "page.css", "page.js", "wire.js", "hand.js", "overlay.js", "figures.js", "icon.svg",
      ].map { .embedInCode("Page/\($0)") }, swiftSettings: strict),
    .target(
      name: "RenderServer",
      dependencies: [
        "WaylandProtocol", "CommitCoding", "Commit", "RenderTree", "FramePlan", "GLRenderer", "GLES", "Geometry",
        "ImageFiles", "LinuxIO", "LiveView", "Diagnostics", "JSON", "CXKBCommon",
      ], swiftSettings: strict),
    .executableTarget(name: "portholed", dependencies: ["RenderServer"], swiftSettings: strict),

    // The benchmark.
    .target(
      name: "BenchCore",
      dependencies: [
        "Porthole", "GLRenderer", "GLES", "FramePlan", "RenderTree", "Commit", "Geometry", "Diagnostics", "LinuxIO",
        "JSON", "CRSVG",
      ], path: "bench/BenchCore", swiftSettings: strict),
    .executableTarget(
      name: "porthole-bench", dependencies: ["BenchCore", "Porthole", "CAllocations"], path: "bench/porthole-bench",
      swiftSettings: strict),

    // Tests.
    .testTarget(
      name: "BenchCoreTests",
      dependencies: ["BenchCore", "porthole-bench", "portholed", "Porthole", "Commit", "Geometry", "JSON"],
      swiftSettings: strict),
    .testTarget(
      name: "CommitCodingTests", dependencies: ["CommitCoding", "Commit", "Geometry", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "GLESTests", dependencies: ["GLES", "Geometry", "LinuxIO"], swiftSettings: strict),
    .testTarget(
      name: "GLRendererTests",
      dependencies: ["GLRenderer", "GLES", "FramePlan", "RenderTree", "Shaderset", "Commit", "Geometry"],
      swiftSettings: strict),
    .testTarget(
      name: "ImageFilesTests",
      dependencies: [
        "ImageFiles", "Commit", "Geometry", "TestSupport", "CLCMS", "CTurboJPEG", "CWebP",
      ], swiftSettings: strict),
    .testTarget(
      name: "VectorGraphicsTests", dependencies: ["VectorGraphics", "Commit", "Geometry", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "HouseTests", dependencies: ["FramePlan", "Shaderset"], swiftSettings: strict),
    .testTarget(name: "LinuxIOTests", dependencies: ["LinuxIO", "Diagnostics"], swiftSettings: strict),
    .testTarget(
      name: "PortholeTests", dependencies: ["Porthole", "porthole", "Commit", "Geometry", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "MediaTests", dependencies: ["Media", "Porthole", "porthole", "Commit", "Geometry", "CTurboJPEG"],
      swiftSettings: strict),
    .testTarget(
      name: "ReferenceRendererTests", dependencies: ["ReferenceRenderer", "RenderTree", "Commit", "Geometry"],
      swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["Geometry", "Commit", "RenderTree"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "ExamplesTests", dependencies: ["Examples", "Porthole", "Media", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "FramePlanTests", dependencies: ["FramePlan", "RenderTree", "Commit", "Geometry", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "RegressionTests", dependencies: ["Porthole", "Commit", "Geometry"], swiftSettings: strict),
    .testTarget(
      name: "RenderServerTests",
      dependencies: [
        "RenderServer", "portholed", "WaylandProtocol", "CommitCoding", "Porthole", "RenderTree", "Commit", "Geometry",
        "GLES", "LinuxIO", "LiveView", "ImageFiles", "JSON", "Diagnostics", "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "WaylandClientTests",
      dependencies: ["WaylandClient", "WaylandProtocol", "LinuxIO", "Diagnostics", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ServerSystemTests", dependencies: ["Porthole", "Media", "porthole", "portholed", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "OperatorTests",
      dependencies: ["Porthole", "RenderServer", "porthole", "portholed", "Commit", "Geometry", "LinuxIO"],
      swiftSettings: strict),
    .executableTarget(
      name: "wire-fuzz",
      dependencies: [
        "RenderServer", "WaylandProtocol", "CWayland", "CWaylandShim", "CLinux", "CommitCoding", "RenderTree", "GLES",
        "Commit", "Geometry", "LinuxIO", "LiveView", "Diagnostics", "TestSupport",
      ], path: "Tests/WireFuzz", exclude: ["corpus"], swiftSettings: strict),
    .target(name: "CWLCS", path: "Tests/WLCS/Interface"),
    .target(
      name: "PortholeWLCS",
      dependencies: ["RenderServer", "CWLCS", "CWayland", "Commit", "Geometry", "LinuxIO"], path: "Tests/WLCS/Module",
      swiftSettings: strict),
    .testTarget(
      name: "RenderTreeTests", dependencies: ["RenderTree", "Commit", "Geometry", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "WaylandProtocolTests", dependencies: ["WaylandProtocol", "CWayland", "LinuxIO"],
      exclude: ["exercise.xml"], swiftSettings: strict, plugins: ["ScanWayland"]),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "Porthole", "GLRenderer", "GLES", "FramePlan", "ReferenceRenderer", "RenderTree", "Commit", "Geometry",
        "LinuxIO", "TestSupport", "VectorGraphics",
      ], swiftSettings: strict),
  ]
)

// While one part is worked on, the other parts' tests need not be built: PORTHOLE_TESTS="FramePlanTests HouseTests".
if let named = Context.environment["PORTHOLE_TESTS"] {
  let wanted = named.split(separator: " ")
  package.targets.removeAll { target in target.type == .test && !wanted.contains { $0 == target.name } }
}
