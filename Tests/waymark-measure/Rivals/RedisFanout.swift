// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import FaultKit
import Foundation
import Glibc
import LoadTest
import ZeroMQ

/// Redis's PUBLISH to many subscribers. They are plain connections that one thread reads with epoll; every message has
/// the same length, so a message is found by counting bytes.
struct RedisFanout {
    static let channel = "c"

    let port: UInt16
    let subscribers: Int
    /// Bytes of a message's payload, at least 20.
    let size: Int

    struct Figures {
        /// Microseconds from the intended time of the PUBLISH to the receipt.
        var p99: Double
        var delivered: Double
    }

    /// - Parameter rate: messages a second; nil: as many as Redis takes.
    func run(rate: Double?, seconds: Double, _ stop: LoadStop) throws -> Figures {
        var connections: [Int32] = []
        defer { for connection in connections { close(connection) } }
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        defer { close(epoll) }
        for number in 0..<subscribers {
            let connection = try subscribe()
            connections.append(connection)
            var event = epoll_event()
            event.events = EPOLLIN.rawValue
            event.data.u64 = UInt64(number)
            epoll_ctl(epoll, EPOLL_CTL_ADD, connection, &event)
        }
        let publishing = Publishing(port: port, size: size, rate: rate, seconds: seconds)
        try publishing.begin()
        var receipts = RedisReceipts(subscribers: subscribers, size: size)
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        let begun = NanoClock.now
        var now = begun
        // Half a second more for what is under way.
        while now < begun + UInt64((seconds + 0.5) * 1e9), !stop.isAsked {
            let found = epoll_wait(epoll, &events, Int32(events.count), 10)
            for event in events.prefix(Int(max(0, found))) {
                let number = Int(event.data.u64)
                let count = recv(connections[number], &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count != 0 else { throw TableError.unreadable("Redis") }
                if count > 0 { try receipts.receive(buffer.prefix(count), of: number, at: NanoClock.now) }
            }
            now = NanoClock.now
        }
        try publishing.end()
        return Figures(
            p99: Double(receipts.latencies.at(99)) / 1_000, delivered: Double(receipts.count) / seconds)
    }

    /// A connection that has subscribed, with nothing left to read.
    private func subscribe() throws -> Int32 {
        guard let descriptor = Ports.connect(port) else { throw TableError.unreadable("Redis") }
        let words = RESPConnection.encode(["SUBSCRIBE", Self.channel])
        var answer: [UInt8] = []
        // Three parts: the word, the channel, how many channels there are.
        let expected = "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n".utf8.count
        var buffer = [UInt8](repeating: 0, count: 256)
        guard send(descriptor, words, words.count, Int32(MSG_NOSIGNAL)) == words.count else {
            close(descriptor)
            throw TableError.unreadable("Redis")
        }
        while answer.count < expected {
            let count = recv(descriptor, &buffer, expected - answer.count, 0)
            guard count > 0 else {
                close(descriptor)
                throw TableError.unreadable("Redis")
            }
            answer += buffer.prefix(count)
        }
        return descriptor
    }
}

/// Finds messages of one length in what subscribers receive, and times them by the number at the payload's start.
struct RedisReceipts {
    static let digits = 20

    let head: Int
    let bytes: Int
    private(set) var count = 0
    private(set) var latencies = Latencies()
    /// What each subscriber has of a message that is not complete.
    private var rests: [[UInt8]]

    init(subscribers: Int, size: Int) {
        let head = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$\(size)\r\n".utf8.count
        (self.head, bytes) = (head, head + size + 2)
        rests = [[UInt8]](repeating: [], count: subscribers)
    }

    /// - Throws: ``TableError/unreadable(_:)`` if a message does not begin where one has to.
    mutating func receive(_ received: ArraySlice<UInt8>, of number: Int, at now: UInt64) throws {
        var left = received
        if !rests[number].isEmpty {
            let missing = bytes - rests[number].count
            rests[number] += left.prefix(missing)
            left = left.dropFirst(missing)
            guard rests[number].count == bytes else { return }
            try receive(rests[number][...], now)
            rests[number].removeAll(keepingCapacity: true)
        }
        while left.count >= bytes {
            try receive(left.prefix(bytes), now)
            left = left.dropFirst(bytes)
        }
        rests[number] += left
    }

    private mutating func receive(_ message: ArraySlice<UInt8>, _ now: UInt64) throws {
        guard message.first == UInt8(ascii: "*") else { throw TableError.unreadable("Redis") }
        var intended: UInt64 = 0
        for byte in message.dropFirst(head).prefix(Self.digits) {
            guard (48...57).contains(byte) else { throw TableError.unreadable("Redis") }
            intended = intended &* 10 &+ UInt64(byte - 48)
        }
        count += 1
        latencies.record(now - min(now, intended))
    }
}
