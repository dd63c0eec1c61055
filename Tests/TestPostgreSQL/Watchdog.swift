// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import TestProcess

/// Ends a server when the process of the tests has died without doing so.
///
/// The watchdog is a shell that reads a socket. A line ends the shell; the end of the stream, which the kernel brings
/// about however the tests end, makes it end the server. On SIGQUIT a server kills its own processes; stopped ones
/// after five seconds.
final class Watchdog: Sendable {
    private let shell: Child
    private let stream: CInt
    private let isOver = Mutex(false)

    init(_ server: Child, directory: String) throws {
        var ends: [CInt] = [-1, -1]
        // CLOEXEC, so that no other child gets an end of the pair.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw TestServerError("no pair of sockets: errno \(errno)")
        }
        defer { close(ends[0]) }
        stream = ends[1]
        let script = """
            read -r _ && exit
            kill -CONT "$1"; kill -QUIT "$1"
            for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" || break; sleep 1; done
            rm -rf "$2"
            """
        do {
            shell = try Child(
                ["/bin/sh", "-c", script, "watchdog", "\(server.pid)", directory], input: ends[0],
                output: .file("/dev/null"), isApart: true)
        } catch {
            close(ends[1])
            throw error
        }
    }

    /// Ends the server too, where ``end()`` was not called.
    deinit {
        if !isOver.withLock({ $0 }) { close(stream) }
    }

    /// Ends the watchdog, once the server has ended or ends soon.
    func end() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        _ = send(stream, "\n", 1, Int32(MSG_NOSIGNAL))
        close(stream)
        shell.wait(.seconds(10))
    }
}
