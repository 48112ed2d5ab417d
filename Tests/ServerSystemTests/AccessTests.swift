import Foundation
import Porthole
import Testing

extension ServerSystemTests {
  @Suite("Who may connect")
  struct AccessTests {
    @Test(
      "another user is refused unless it is listed, and is shown nothing of the inspector either way",
      .enabled(if: geteuid() == 0, "only root can be another user"), arguments: [false, true])
    func otherUser(isListed: Bool) throws {
      let user = 65534
      let server = try ServerRun(isListed ? ["--allow-uid", "\(user)"] : [])
      let owner = try server.connect()
      let (root, _) = TestLayers.cardAndPortal()
      let handle = try owner.export(root)
      // Where the folder lets others in, the credentials decide.
      let folder = server.folder.path
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
      let built = try runProgram("/bin/sh", [Checkout.path("Tests/CClient/build.sh"), folder])
      try #require(built.status == 0, "\(built.text)")
      let other = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
      let shown = try runProgram(
        "/usr/bin/setpriv",
        other + [folder + "/show_layer", server.socket, handle.description, "64", "64", folder + "/picture"])
      #expect((shown.status == 0) == isListed, "\(shown.text)")
      #expect(FileManager.default.fileExists(atPath: folder + "/picture") == isListed)
      let tool = ServerRun.products.appending(path: "porthole").path
      let listed = try runProgram("/usr/bin/setpriv", other + [tool, "server", "list", "--socket", server.socket])
      #expect(listed.status != 0 && !listed.text.contains("card"), "\(listed.text)")
      // Who was refused is gone, and the owner goes on.
      try owner.commit(root)
      try owner.finish()
    }

    @Test("a socket that a service manager has bound is taken over, and stays when the server ends")
    func activation() throws {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "porthole-test-\(UUID().uuidString.prefix(8))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appending(path: "handed-over").path
      let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(socket) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(107))) }
      let isBound = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
      try #require(isBound && listen(socket, 8) == 0)
      for _ in 0..<2 {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let program = ServerRun.products.appending(path: "portholed").path
        // As systemd does it: descriptor 3, and the process's own number.
        process.arguments = ["-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \(program) 3<&0 </dev/null"]
        process.standardInput = FileHandle(fileDescriptor: socket, closeOnDealloc: false)
        try process.run()
        // Connected before it is there: the kernel keeps it until then.
        let connection = try RenderServerConnection(path, patience: 30)
        let (root, _) = TestLayers.cardAndPortal()
        #expect(try connection.commit(root) > 0)
        try connection.finish()
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(FileManager.default.fileExists(atPath: path))
      }
    }
  }
}
