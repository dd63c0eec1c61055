// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkTransport

@Suite("An outbox of a socket", .inShortTurn)
struct OutboxTests {
    /// Adds a message for each number.
    ///
    /// - Returns: whether the messages were due after the last one.
    @discardableResult
    private static func put(_ numbers: some Sequence<UInt8>, into outbox: Outbox<UInt8>, at now: UInt64 = 0) -> Bool {
        numbers.reduce(false) { _, number in outbox.add(number, at: now) { $0.append([number]) } }
    }

    /// A sender and a receiver with room for so many messages, in one process.
    private final class Pair {
        let sender: Socket
        let receiver: Socket

        init(room: Int) throws {
            let context = try Context()
            var options = SocketOptions()
            (options.sendHighWaterMark, options.receiveHighWaterMark) = (room, room)
            receiver = try Socket(.pull, context: context, options: options)
            let endpoint = try receiver.bind("inproc://outbox")
            sender = try Socket(.push, context: context, options: options)
            try sender.connect(endpoint)
        }
    }

    private static func receiveAll(_ socket: borrowing Socket) throws -> [UInt8] {
        var message = Message()
        var all: [UInt8] = []
        while try socket.receive(into: &message) { all += message.bytes(at: 0) }
        return all
    }

    @Test("a message alone is due at once; within together it waits until there are enough, or until the end")
    func gathers() throws {
        let pair = try Pair(room: 1_000)
        let outbox = Outbox<UInt8>(most: 3)
        #expect(Self.put([0], into: outbox))
        #expect(outbox.isDue(1) && !outbox.isFull)
        try outbox.flush(to: pair.sender) { #expect($0 == 0 && $1 == .sent) }
        var reported: [UInt8] = []
        try outbox.together(
            {
                #expect(!Self.put([1, 2], into: outbox))
                #expect(!outbox.isDue(2))
                // A call within another one flushes nothing.
                outbox.together({ #expect(Self.put([3], into: outbox)) }, flush: { Issue.record("flushed too early") })
                #expect(outbox.isDue(3) && outbox.isFull && outbox.count == 3)
                #expect(reported.isEmpty)
            },
            flush: { () throws(ZeroMQError) in
                try outbox.flush(to: pair.sender) { note, _ in reported.append(note) }
            })
        #expect(reported == [1, 2, 3] && outbox.isEmpty && !outbox.isGathering)
        let arrived = try Self.receiveAll(pair.receiver)
        #expect(arrived == [0, 1, 2, 3])
    }

    @Test("the oldest message waits no longer than the outbox has patience")
    func patience() throws {
        let pair = try Pair(room: 1_000)
        let outbox = Outbox<UInt8>(patience: 100)
        try outbox.together(
            {
                #expect(!Self.put([1], into: outbox, at: 1_000))
                #expect(!Self.put([2], into: outbox, at: 1_099))
                #expect(Self.put([3], into: outbox, at: 1_100))
                try? outbox.flush(to: pair.sender) { _, _ in }
                // The time begins anew with the first message after a flush.
                #expect(!Self.put([4], into: outbox, at: 5_000))
                #expect(!Self.put([5], into: outbox, at: 5_099))
                #expect(Self.put([6], into: outbox, at: 5_100))
            }, flush: { () throws(ZeroMQError) in try outbox.flush(to: pair.sender) { _, _ in } })
        let arrived = try Self.receiveAll(pair.receiver)
        #expect(arrived == [1, 2, 3, 4, 5, 6])
    }

    @Test("each message is reported once, in order, with what became of it, and the outbox can be used again")
    func reports() throws {
        let outbox = Outbox<UInt8>()
        for round in 0..<3 {
            // A queue of one message at each end: the others find no room.
            let pair = try Pair(room: 1)
            Self.put(0..<10, into: outbox)
            var reports: [(note: UInt8, outcome: SendOutcome?)] = []
            try outbox.flush(to: pair.sender) { reports.append(($0, $1)) }
            #expect(reports.map(\.note) == Array(0..<10))
            let taken = reports.filter { $0.outcome == .sent }.map(\.note)
            let arrived = try Self.receiveAll(pair.receiver)
            #expect(arrived == taken)
            #expect(!taken.isEmpty && taken.count < 10, "round \(round)")
            #expect(reports.allSatisfy { $0.outcome == .sent || $0.outcome == .wouldBlock })
            #expect(outbox.isEmpty)
        }
    }

    @Test("after an error the remaining messages are reported as not offered, and the outbox is empty")
    func errors() throws {
        let context = try Context()
        // A SUB socket cannot send.
        let deaf = try Socket(.sub, context: context)
        let outbox = Outbox<UInt8>()
        Self.put([1, 2, 3], into: outbox)
        var reports: [(note: UInt8, outcome: SendOutcome?)] = []
        let error = #expect(throws: ZeroMQError.self) { try outbox.flush(to: deaf) { reports.append(($0, $1)) } }
        #expect(error?.code == .notSupported)
        #expect(reports.map(\.note) == [1, 2, 3] && reports.allSatisfy { $0.outcome == nil })
        #expect(outbox.isEmpty)
        try outbox.flush(to: deaf) { _, _ in Issue.record("nothing is left to send") }
    }
}
