/// What `--help` says.
enum Help {
  static let overview = """
    porthole \(Tool.version): draws layer trees with live portals, without a screen.

    usage: porthole COMMAND ARGUMENTS

      render SCENE.json -o OUT.png    draw a scene, or one of its layers, into a PNG
      validate SCENE.json ...         everything that is wrong with scene files
      compare A.png B.png             whether a picture is as near to another as it should be
      hit SCENE.json X,Y              the layers at a point, through portals
      plan SCENE.json                 what a frame does: passes, batches, sources
      damage A.json B.json            what is redrawn going from one scene to another
      info                            which device draws, and what it can
      run -- PROGRAM ...              any Wayland program, shown by portals: picture in picture, a wall, a lens; a film of it
      server SUBCOMMAND               look into a render server: list, stats, dump, capture, input, record, replay

      porthole COMMAND --help         more, with examples
      porthole --version

    \(exitCodes)
    """

  static func text(_ command: Command) -> String { "\(body(command))\n\n\(exitCodes)" }

  private static let exitCodes = """
    exit codes:
      0   done; for compare: within the tolerance
      1   failed; for compare: outside the tolerance
      2   a scene, picture or value that can't be used
      3   no display gave a device, or the device was lost; for server: no server answers
      64  arguments that are not understood

    """

  private static let skipUnsupported = """
      --skip-unsupported    leave out keys of layers that this version does not know, and say which
    """

  private static let display = """
      --display KIND        automatic (the default), gbm, device or surfaceless
    """

  private static func body(_ command: Command) -> String {
    switch command {
    case .run: RunHelpText.body
    case .server: ServerHelpText.body
    case .render:
      """
      usage: porthole render SCENE.json -o OUT.png [options]

      Draws a scene (format porthole-scene/1) into a PNG, or its frames into a film. A file appears whole or not at all.

        -o, --output OUT.png  where to
        --scale NUMBER        pixels per point; 1 by default
        --layer ID            only the layer of that id with its sublayers, as a portal of it shows it
        --at TIME             what the scene's animations show then, as 1.5s or 500ms; 0 by default
        --frames FROM:TO      a picture for each frame, TO not among them: -o dir/%04d.png numbers them from 0,
                              -o film.png makes one animated PNG; film.mp4 is H.264, film.webm VP9, and film.mkv
                              FFV1, which loses nothing; film.webp is a picture that moves, for pages
        --fps NUMBER          how many frames a second; 60 by default
        --renderer NAME       gl (the default) or reference, the slow one that needs no display
        --format NAME         rgba8 (the default), or rgba16f: half floats, colours beyond 0 to 1 kept until the end, and
                              a PNG of 16 bits
        --blending NAME       encoded (the default) or, in rgba16f, linear: colours are mixed as light
        --overlay damage      draw over the picture what was drawn anew for it; of the first frame, that is all
      \(display)
      \(skipUnsupported)
        --json                print size, counters and what was skipped

      examples:
        porthole render window.json -o window.png
        porthole render window.json -o window@2x.png --scale 2
        porthole render window.json -o icon.png --layer icon --renderer reference
        porthole render window.json -o middle.png --at 1.5s
        porthole render window.json -o film/%04d.png --frames 0:3s --fps 60
        porthole render window.json -o film.mp4 --frames 0:3s --fps 60
      """
    case .validate:
      """
      usage: porthole validate SCENE.json ... [options]

      Prints everything that is wrong with scene files (format porthole-scene/1) and with the images that they name, a
      line each: file, place inside, what was expected. Prints nothing and exits with 0 where all are right; exits with 2
      where one is not. What is right but not drawn by this version is only mentioned.

        --json                print it as data, a list of files

      docs/scene.schema.json is the format as a JSON Schema, for editors. It knows everything but what is counted or
      looked up: names of images and layers, files, numbers of locations.

      examples:
        porthole validate window.json
        porthole validate scenes/*.json --json
      """
    case .compare:
      """
      usage: porthole compare EXPECTED.png GOT.png [options]

      Compares two pictures of one size by how far the second is from the first; those of 16 bits by what 8 can show.

        --class NAME          which tolerance: flat (the default), blur, resampled or perspective
        --diff OUT.png        write the differences, four times as strong
        --json                print the numbers and the tolerance

      examples:
        porthole compare expected.png got.png
        porthole compare expected.png got.png --class resampled --diff difference.png
      """
    case .hit:
      """
      usage: porthole hit SCENE.json X,Y [options]

      Prints the frontmost layer at a point of the scene, in points from its top left, and the point in the layer's own
      space. A portal that forwards hit testing comes first, then the layer inside its source. Prints nothing, and exits
      with 0, where no layer is hit.

      \(skipUnsupported)
        --json                print a list of layers

      examples:
        porthole hit window.json 120,48
        porthole hit window.json -- -5,10
        porthole hit window.json 120,48 --json
      """
    case .plan:
      """
      usage: porthole plan SCENE.json [options]

      Prints what a frame of the scene does: how each portal's source is drawn and why, the passes and batches in their
      order, and the counters. Needs no display, and is the same on every machine.

        --scale NUMBER        pixels per point; 1 by default
        --format NAME         rgba8 (the default) or rgba16f, as for render
        --blending NAME       encoded (the default) or, in rgba16f, linear
      \(skipUnsupported)
        --json                print it as data

      examples:
        porthole plan window.json
        porthole plan window.json --scale 2 --json
      """
    case .damage:
      """
      usage: porthole damage A.json B.json [options]

      Prints which rectangles of the output would be redrawn going from the first scene to the second, in pixels, and
      over-damage: what would be redrawn over what really changes. Layers of one id, and below them of one place, are
      taken for the same.

        -o, --output OUT.png  the second scene with what would be redrawn drawn over it
        --scale NUMBER        pixels per point; 1 by default
        --renderer NAME       gl (the default) or reference
      \(display)
      \(skipUnsupported)
        --json                print it as data

      examples:
        porthole damage before.json after.json
        porthole damage before.json after.json -o overlay.png
      """
    case .info:
      """
      usage: porthole info [options]

      Prints which displays were tried and why each was refused, the renderer and version, limits and features.

      \(display)
        --json                print it as data, with all extensions

      examples:
        porthole info
        porthole info --display surfaceless --json
      """
    }
  }
}
