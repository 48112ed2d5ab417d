/// What `porthole run --help` says.
enum RunHelpText {
  static let body = """
    usage: porthole run [options] -- PROGRAM [arguments]

    Runs a program, unmodified and without a screen, and shows its window by portals: live, and as often as the scene
    wants. Starts a render server of its own where none serves programs yet, and ends it with the program.

      --scene KIND          pip (the default): the window, and a small one in a corner; wall: thirty of them; lens: the
                            window under a moving lens; plain: the window alone
      --size WIDTHxHEIGHT   of the whole picture, 1280x720 by default; a plain one is as large as the window
      -o FILE               a film (.mp4, .webm, .mkv, .apng, .webp, or frame-%d.png), or a picture (.png)
      --seconds NUMBER      of a film, 5 by default; or how long the program runs before its picture is taken, 1
      --fps NUMBER          of a film, 30 by default
      --socket NAME|PATH    a server that runs already, with a --layout
      --view PORT           shows it in a browser too, where it can be used; 0 takes any free port

    Without -o it goes on until the program ends, and says how to look and how to touch.

    examples:
      porthole run --view 0 -- foot
      porthole run -o pip.mp4 -- mpv --loop clip.mkv
      porthole run --scene wall -o wall.mp4 -- glmark2-es2-wayland
      porthole run --scene lens --seconds 3 -o lens.mp4 -- foot
      porthole run --scene plain -o demo.png -- gtk4-demo
    """
}
