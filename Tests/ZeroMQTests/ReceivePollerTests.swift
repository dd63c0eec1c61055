// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import TestTurns
import Testing
import ZeroMQ

@Suite("Waiting for many sockets", .inShortTurn, .serialized)
struct ReceivePollerTests {
    /// Takes what has come to each ready socket, at most `most` messages in one go.
    private static func receive(
        _ poller: inout ReceivePoller, _ sockets: [SocketBox], most: Int, into counts: inout [Int]
    ) throws {
        var message = Message()
        try poller.empty { number in
            for _ in 0..<most {
                guard try sockets[number].socket.receive(into: &message) else { return true }
                counts[number] += 1
            }
            return false
        }
    }

    /// A socket in an array, which takes no noncopyable values.
    private final class SocketBox {
        let socket: Socket
        init(_ socket: consuming Socket) { self.socket = socket }
    }

    @Test("every message comes, also where a reader leaves some for later", arguments: [1, 7, 1_000])
    func everything(most: Int) async throws {
        try await Self.onThread {
            let context = try Context(maxSockets: 300)
            var poller = try ReceivePoller()
            let (count, messages) = (150, 40)
            var (senders, sockets): ([SocketBox], [SocketBox]) = ([], [])
            for _ in 0..<count {
                let socket = try Socket(.pull, context: context)
                let sender = try Socket(.push, context: context)
                try sender.connect(try socket.bind("tcp://127.0.0.1:*"))
                try poller.add(socket)
                sockets.append(SocketBox(socket))
                senders.append(SocketBox(sender))
            }
            #expect(poller.count == count && poller.ready.count == count)
            var counts = [Int](repeating: 0, count: count)
            try Self.receive(&poller, sockets, most: most, into: &counts)
            #expect(poller.ready.isEmpty && counts == [Int](repeating: 0, count: count))
            var random = SplitMix64(seed: 1)
            var left = [Int](repeating: messages, count: count)
            let deadline = ContinuousClock.now + .seconds(60)
            while counts.reduce(0, +) < count * messages, ContinuousClock.now < deadline {
                for _ in 0..<50 {
                    let place = Int.random(in: 0..<count, using: &random)
                    var message = Message()
                    message.append([UInt8](repeating: 7, count: 10))
                    if left[place] > 0, try senders[place].socket.send(&message) == .sent { left[place] -= 1 }
                }
                try poller.wait(.milliseconds(left.contains { $0 > 0 } ? 0 : 100))
                try Self.receive(&poller, sockets, most: most, into: &counts)
            }
            #expect(counts == [Int](repeating: messages, count: count))
            try poller.wait(.milliseconds(1))
            try Self.receive(&poller, sockets, most: most, into: &counts)
            #expect(poller.ready.isEmpty)
        }
    }

    @Test("a wait ends when its time is over, to well below a millisecond, and when a message comes")
    func precise() async throws {
        try await Self.onThread {
            let context = try Context()
            let socket = try Socket(.pull, context: context)
            let sender = try Socket(.push, context: context)
            try sender.connect(try socket.bind("inproc://precise"))
            var poller = Poller()
            poller.add(socket)
            let begun = ContinuousClock.now
            for _ in 0..<20 { #expect(try !poller.wait(nanoseconds: 300_000)) }
            let time = ContinuousClock.now - begun
            #expect(time >= .milliseconds(6))
            #expect(poller.count == 1)
            var message = Message()
            message.append([1])
            _ = try sender.send(&message)
            #expect(try poller.wait(nanoseconds: 30_000_000_000))
            #expect(try poller.wait(nanoseconds: 0) && ContinuousClock.now - begun < .seconds(25))
        }
    }

    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
