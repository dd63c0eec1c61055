// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A plain connection, for bytes that no HTTP client or ZeroMQ peer would send.
final class RawConnection: Sendable {
    private let descriptor: Int32

    /// Connects to a TCP port of this machine.
    ///
    /// - Parameter source: the last number of the own address, 127.0.0.x.
    init(port: UInt16, from source: UInt32 = 1) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = (UInt32(0x7f00_0000) | source).bigEndian
        let isBound = withUnsafePointer(to: own) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        try open(address)
    }

    /// Connects many times, and sends a text on each connection.
    static func open(
        _ count: Int, port: UInt16, from source: UInt32 = 1, sending text: String = ""
    ) async throws -> [RawConnection] {
        // On a thread of its own: where the queue is full connecting waits for the other end, which needs the pool.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try (0..<count).map { _ in
                            let connection = try RawConnection(port: port, from: source)
                            if !text.isEmpty { connection.send(text) }
                            return connection
                        }
                    })
            }
        }
    }

    /// Connects to a socket in the file system.
    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            for (place, byte) in path.utf8.prefix(room.count - 1).enumerated() { room[place] = byte }
        }
        try open(address)
    }

    private func open<Address>(_ address: Address) throws {
        // The time limit for an answer that does not arrive.
        var limit = timeval(tv_sec: 100, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Returns false if the other end has hung up.
    @discardableResult
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Sends nothing more, and still receives.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Whether the other end has hung up and everything before that was received. Waits for nothing.
    var hasEnded: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno == ECONNRESET
    }

    /// What arrives next; nil if nothing does for 100 seconds, or the other end has hung up.
    func receive() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes = [UInt8](repeating: 0, count: 65_536)
                let count = recv(self.descriptor, &bytes, bytes.count, 0)
                continuation.resume(returning: count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil)
            }
        }
    }

    /// Everything received until the other end hangs up; nil if nothing arrives for 100 seconds.
    func receiveAll() async -> String? {
        // On its own thread, because the pool has few threads and the other end needs them too.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.read()) }
        }
    }

    private func read() -> String? {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 {
                all += bytes[..<count]
            } else {
                // A reset is also an end.
                return count == 0 || errno == ECONNRESET ? String(decoding: all, as: UTF8.self) : nil
            }
        }
    }
}
