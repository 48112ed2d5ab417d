/// What `portholed --help` prints.
enum ServerHelp {
  static let text = """
    portholed: draws the layers of many processes, and portals between them.

    usage: portholed [--socket NAME|PATH] [--display KIND] [--rate FPS] [--limits NAME=NUMBER,…]
                     [--layout none|cascade|tile|full] [--desk WIDTHxHEIGHT[@RATE]]
                     [--view [ADDRESS:]PORT]
                     [--allow-uid USER]… [--connections COUNT] [--ready-fd FD]

      --socket NAME|PATH   where clients connect: a name below $XDG_RUNTIME_DIR/porthole/ (porthole-0), or a path
      --display KIND       automatic (default), gbm, device or surfaceless; PORTHOLE_DISPLAY where it is not given
      --rate FPS           the most frames a second that an output gets (240)
      --limits NAME=NUMBER what one client may have: \(ClientLimits.Kind.allCases.map(\.name).joined(separator: ", "));
                           numbers may end in K, M or G, and none is no limit
      --layout LAYOUT      serves any Wayland program too, and places its windows on a desk: cascade, tile, full (the last
                           on top), or none (they are shown by portals alone)
      --desk MODE          the desk's size and rate (1280x720@60); cascade where no layout is given
      --view [ADDRESS:]PORT
                           a page that shows the outputs live and can use them, from this machine alone unless ADDRESS is
                           another one; its address is written to standard output. Port 0: any that is free
      --allow-uid USER     lets another user connect, by number; may be given again
      --connections COUNT  the most clients at a time (256)
      --ready-fd FD        writes the socket's path there, with a newline, when clients can connect, and closes it
      --help, --version

    examples:
      portholed
      portholed --socket /run/wall/porthole-0 --allow-uid 1001 --limits layers=1000,texture_bytes=256M
      portholed --layout tile & WAYLAND_DISPLAY=porthole/porthole-0 foot
      portholed --layout cascade --view 8080
      PORTHOLE_LOG=info portholed --display surfaceless --rate 60
      systemd-run --user --property=Type=notify portholed

    Tells a service manager that it is ready (NOTIFY_SOCKET), and takes sockets from it (LISTEN_FDS, LISTEN_PID).
    SIGTERM and SIGINT: frames in hand are finished, then it exits with 0. A second one: it exits at once.

    exit codes: 0 ended as it was asked; 1 failed, or ended by a second signal; 3 no display gave a device;
    4 another server has the socket; 64 arguments that make no sense
    """
}
