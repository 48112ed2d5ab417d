import Porthole

extension Arguments {
  /// What `--format` and `--blending` say; 8 bits where they say nothing.
  func workingSpace() throws(UsageError) -> WorkingSpace {
    let format: PixelFormat = try word(.format, default: .rgba8)
    let blending: ColorEncoding = try word(.blending, default: .encoded)
    switch (format, blending) {
    case (.rgba16f, _): return .rgba16f(blending: blending)
    case (.rgba8, .encoded): return .rgba8
    case (.rgba8, .linear):
      throw UsageError("--blending linear needs --format rgba16f: in 8 bits what is dark would be left with few steps")
    }
  }
}
