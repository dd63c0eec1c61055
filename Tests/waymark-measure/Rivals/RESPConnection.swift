// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Glibc
import LoadTest

/// A connection to a server that speaks RESP. Used on one thread.
final class RESPConnection {
    private let descriptor: Int32
    private var reader = RESPReader()
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// - Parameter port: on loopback. Waits up to twenty seconds until something listens there.
    init(port: UInt16) throws {
        for _ in 0..<400 {
            if let descriptor = Ports.connect(port) {
                self.descriptor = descriptor
                var one: Int32 = 1
                setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
                var patience = timeval(tv_sec: 30, tv_usec: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
                return
            }
            NanoClock.sleep(50_000_000)
        }
        throw TableError.doesNotStart("The server", log: "nobody listens on port \(port)")
    }

    deinit { close(descriptor) }

    /// A command in RESP's form: a list of texts.
    static func encode(_ words: [String]) -> [UInt8] {
        var text = "*\(words.count)\r\n"
        for word in words { text += "$\(word.utf8.count)\r\n\(word)\r\n" }
        return Array(text.utf8)
    }

    func send(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { throw TableError.unreadable("the server") }
                sent += count
            }
        }
    }

    /// - Throws: an error also if the reply is a refusal.
    func receive() throws -> RESPReader.Reply {
        while true {
            if let reply = try reader.next() {
                if case .refusal(let reason) = reply { throw TableError.doesNotStart("The server", log: reason) }
                return reply
            }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw TableError.unreadable("the server") }
            buffer.withUnsafeBytes { reader.append(.init(rebasing: $0.prefix(count))) }
        }
    }

    func ask(_ words: [String]) throws -> RESPReader.Reply {
        try send(Self.encode(words))
        return try receive()
    }
}

/// Sends commands continuously, with several in flight.
enum RESPRate {
    /// - Parameters:
    ///   - lanes: the connections; one is listed as often as it has batches in flight.
    ///   - batches: encoded commands, some in each batch.
    ///   - size: the number of commands in a batch.
    /// - Returns: replies a second.
    static func measure(
        _ lanes: [RESPConnection], _ batches: [[UInt8]], size: Int, seconds: Double, _ stop: LoadStop
    ) throws -> Double {
        var next = 0
        func send(_ lane: RESPConnection) throws {
            try lane.send(batches[next % batches.count])
            next += 1
        }
        for lane in lanes { try send(lane) }
        let begun = NanoClock.now
        let end = begun + UInt64(seconds * 1e9)
        var count = 0
        var now = begun
        while now < end, !stop.isAsked {
            for lane in lanes {
                for _ in 0..<size { _ = try lane.receive() }
                count += size
                try send(lane)
            }
            now = NanoClock.now
        }
        for lane in lanes { for _ in 0..<size { _ = try lane.receive() } }
        return Double(count) * 1e9 / Double(max(1, now - begun))
    }
}
