// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Glibc

/// A connection to a private PostgreSQL server, with as much of its protocol (version 3) as lock-step measuring needs.
/// Used on one thread.
///
/// A message is a letter, its length in four bytes (its own four included), and its body.
final class PostgreSQLConnection {
    private let descriptor: Int32
    private var received: [UInt8] = []

    /// - Parameter port: on loopback. The server trusts everybody there.
    init(port: UInt16) throws {
        guard let descriptor = PlainSocket.connect(port: port) else { throw TableError.unreadable("PostgreSQL") }
        self.descriptor = descriptor
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        // The first message has no letter: version 3.0 and the names.
        let body = [0, 3, 0, 0] + Array("user\0postgres\0database\0postgres\0\0".utf8)
        try send(Self.length(of: body) + body)
        try wait(for: "Z")
    }

    deinit { close(descriptor) }

    private static func length(of body: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(body.count + 4).bigEndian) { [UInt8]($0) }
    }

    /// Sends one or more statements, and does not wait.
    func begin(_ sql: String) throws {
        let body = Array(sql.utf8) + [0]
        try send([UInt8(ascii: "Q")] + Self.length(of: body) + body)
    }

    func run(_ sql: String) throws {
        try begin(sql)
        try wait(for: "Z")
    }

    /// Waits for a message with this letter: `Z` when the server has answered a query, `A` when it tells of a NOTIFY.
    func wait(for letter: Unicode.Scalar) throws {
        while true {
            while received.count >= 5 {
                let length = received[1..<5].reduce(0) { $0 << 8 | Int($1) }
                guard length >= 4, length < 1 << 20 else { throw TableError.unreadable("PostgreSQL") }
                guard received.count > length else { break }
                let found = received[0]
                received.removeFirst(1 + length)
                if found == UInt8(ascii: "E") { throw TableError.unreadable("PostgreSQL") }
                if found == UInt8(ascii: letter) { return }
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw TableError.unreadable("PostgreSQL") }
            received += buffer.prefix(count)
        }
    }

    private func send(_ bytes: [UInt8]) throws {
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw TableError.unreadable("PostgreSQL")
        }
    }
}
