/// What `porthole server --help` says.
enum ServerHelpText {
  static let body = """
    usage: porthole server SUBCOMMAND [arguments] [--socket NAME|PATH]

    Looks into a render server (portholed) that runs as this user, without getting in its way.

      list [WHAT]           clients, layers, portals, textures, outputs and exports with what each costs; or one of these
      stats                 counters of the server and of each client
      dump tree|plan|damage the layers of all clients; how the last frames draw all that they show; which pixels the
                            last frames drew anew
      capture -o OUT.png    a picture of an output, a layer or a portal
      portal --layer NAME|ID -o OUT.png
                            a portal of the tool's own, of a layer that its owner exported: what others see of it; with
                            --raw frame after frame, as it changes
      export LAYER          a handle of any layer, by number or name, for whoever is to show it; good until the layer goes
      input WHAT …          does what a pointer, a keyboard or a finger would, to programs under --layout:
                            move X Y, click X Y [left|middle|right], press [BUTTON], release [BUTTON], drag X Y X Y,
                            scroll RIGHT DOWN, type TEXT, key NAME (Return, Control_L+c), touch X Y
      record -o TRACE       every commit of all clients, until Ctrl-C or for --seconds
      replay TRACE          the commits of a trace in this process, and its last frame; needs no server

      --socket NAME|PATH    which server: a name below $XDG_RUNTIME_DIR/porthole/, or a path; by default what
                            PORTHOLE_SOCKET says, else porthole-0
      --json                list, stats, dump, capture, replay: as data
      --prometheus          stats: in the text form of Prometheus
      -o FILE               capture, record, replay: where to; - is standard output, but for replay
      --output N            capture, replay: which output; may be left out where there is one. input: which output's
                            points are meant; the desk's by default
      --single-use          export: the handle is good once
      --layer NAME|ID       capture: a layer alone; portal: its source; by the number that list shows, or by name
      --portal NAME|ID      capture: a portal, with what it shows in its place
      --scale NUMBER        capture, portal: pixels per point of a layer; 1 by default
      --frames NUMBER       portal --raw: how many; until Ctrl-C without it
      --raw                 capture, portal: premultiplied RGBA without a header, instead of a PNG
      --seconds NUMBER      record: how long
      --display KIND        replay: automatic (the default), gbm, device or surfaceless

    examples:
      porthole server list
      porthole server list portals
      porthole server stats --prometheus
      porthole server dump tree --json
      porthole server capture -o now.png
      porthole server capture --layer clock -o clock.png --scale 2
      porthole server portal --layer clock --raw -o - | consumer
      porthole server input click 120 80 && porthole server input type 'echo hello' && porthole server input key Return
      porthole server export "foot: foot" > handle
      porthole server record -o session.trace --seconds 10
      porthole server replay session.trace -o last.png
    """
}
