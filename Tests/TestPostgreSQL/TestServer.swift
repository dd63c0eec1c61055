// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import TestProcess
import TestTurns
import Testing

/// A PostgreSQL server of a test's own, in a temporary directory.
///
/// On its Unix socket everybody is let in as anybody. On the loopback interface, if the server listens there at all, a
/// password is needed (SCRAM). The server ends with this object, also when the process of the tests is killed.
public final class TestServer: Sendable {
    public struct Options: Sendable {
        /// Whether commits wait for the disk.
        public var fsync = false
        public var listensOnTCP = false
        public var hasChecksums = false
        /// A self-signed certificate, made by openssl.
        public var hasTLS = false
        /// Settings as `name=value`, as in postgresql.conf.
        public var settings: [String] = []

        public init(
            fsync: Bool = false, listensOnTCP: Bool = false, hasChecksums: Bool = false, hasTLS: Bool = false,
            settings: [String] = []
        ) {
            (self.fsync, self.listensOnTCP, self.hasChecksums) = (fsync, listensOnTCP, hasChecksums)
            (self.hasTLS, self.settings) = (hasTLS, settings)
        }
    }

    private struct Running {
        let server: Child
        let watchdog: Watchdog
    }

    /// The server of the suite, if the suite asks for one with the trait ``ServerTrait``.
    @TaskLocal static var ofSuite: TestServer?

    /// - Throws: when the suite has no server.
    public static func current() throws -> TestServer {
        guard let ofSuite else { throw TestServerError("the suite has no trait .postgreSQL()") }
        return ofSuite
    }

    /// The superuser's password, with characters that a URL has to encode.
    public static let password = "pass/w@rd: %?#é"
    public static let user = "postgres"
    public let directory: String
    public var dataDirectory: String { directory + "/data" }
    public let port: UInt16
    let options: Options
    private let running = Mutex<Running?>(nil)

    /// Makes the server's files, and starts it.
    ///
    /// - Parameter primary: the new server is its standby, and follows it.
    public init(_ options: Options = Options(), standbyOf primary: TestServer? = nil) throws {
        self.options = options
        port = try Ports.free()
        // The path of a Unix socket has at most 107 bytes.
        var template = Array("/tmp/waymark-pg-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw TestServerError("no directory: errno \(errno)") }
        directory = String(cString: made)
        do {
            if let primary { try copyFiles(of: primary) } else { try makeFiles() }
            try start()
        } catch {
            removeFiles()
            throw error
        }
    }

    deinit { close() }

    /// Stops the server, and removes its files.
    public func close() {
        stop()
        removeFiles()
    }

    // MARK: Starting and stopping

    /// Starts the server, and waits until it lets clients in. A running server is stopped first.
    public func start() throws {
        stop()
        let settings =
            [
                "fsync=\(options.fsync ? "on" : "off")", "listen_addresses=\(options.listensOnTCP ? "127.0.0.1" : "")",
                "unix_socket_directories=\(directory)", "shared_buffers=16MB", "max_connections=40",
                "ssl=\(options.hasTLS ? "on" : "off")",
                // Shared memory in the server's directory, and not in /dev/shm, where it would stay when the server is
                // killed.
                "dynamic_shared_memory_type=mmap",
            ] + options.settings
        let words = try Installation.words(
            "postgres", ["-D", dataDirectory, "-p", "\(port)"] + settings.flatMap { ["-c", $0] })
        let server = try Child(words, output: .file(log), isApart: true)
        let watchdog: Watchdog
        do { watchdog = try Watchdog(server, directory: directory) } catch {
            server.send(SIGQUIT)
            server.wait(.seconds(10))
            throw error
        }
        running.withLock { $0 = Running(server: server, watchdog: watchdog) }
        try? blockUntil("PostgreSQL lets clients in", within: .seconds(120)) {
            isReady(server.pid) || server.status != nil
        }
        guard isReady(server.pid) else {
            stop()
            throw TestServerError("PostgreSQL does not start: \(logged)")
        }
    }

    /// Stops the server in order, as systemd does, within half a minute, whatever its processes do.
    public func stop() {
        guard let all = take() else { return }
        Self.signal(all.server, SIGCONT)
        // PostgreSQL's fast shutdown, then its immediate one.
        for signal in [SIGINT, SIGQUIT] {
            all.server.send(signal)
            if all.server.wait(.seconds(15)) != nil { break }
        }
        slay(all)
    }

    /// Kills all processes of the server at once. Unlike a power cut, this keeps the writes that the kernel already
    /// has.
    public func crash() {
        if let all = take() { slay(all) }
    }

    /// Stops all processes of the server, as if the machine hung.
    public func pause() { signal(SIGSTOP) }

    public func resume() { signal(SIGCONT) }

    public var isRunning: Bool { running.withLock { $0?.server.status == nil && $0 != nil } }

    // MARK: The server's processes

    private func take() -> Running? {
        running.withLock { running in
            defer { running = nil }
            return running
        }
    }

    private func signal(_ number: Int32) {
        if let server = running.withLock({ $0?.server }) { Self.signal(server, number) }
    }

    private static func signal(_ server: Child, _ number: Int32) {
        guard server.status == nil else { return }
        let children = Processes.children(of: server.pid)
        server.send(number)
        for pid in children { kill(pid, number) }
    }

    /// Kills the server's processes that still run.
    private func slay(_ all: Running) {
        let children = all.server.status == nil ? Processes.children(of: all.server.pid) : []
        all.server.send(SIGKILL)
        for pid in children { kill(pid, SIGKILL) }
        all.server.wait(.seconds(30))
        try? blockUntil("PostgreSQL's processes have ended", within: .seconds(30)) {
            !children.contains(where: Processes.isRunning)
        }
        all.watchdog.end()
    }
}
