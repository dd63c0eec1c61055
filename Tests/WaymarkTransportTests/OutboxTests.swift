// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkTransport

@Suite("An outbox of a socket", .inShortTurn, .timeLimit(.minutes(5)))
struct OutboxTests {
    private static func put(_ numbers: some Sequence<UInt8>, into outbox: Outbox<UInt8>, at now: UInt64 = 0) {
        for number in numbers {
            outbox.append([number])
            outbox.endMessage(number, at: now)
        }
    }

    /// A sender and a receiver with room for so many messages, in one process.
    private static func pair(room: Int) throws -> (sender: Socket, receiver: Socket) {
        let context = try Context()
        var options = SocketOptions()
        (options.sendHighWaterMark, options.receiveHighWaterMark) = (room, room)
        let receiver = try Socket(.pull, context: context, options: options)
        let endpoint = try receiver.bind("inproc://outbox")
        let sender = try Socket(.push, context: context, options: options)
        try sender.connect(endpoint)
        return (sender, receiver)
    }

    private static func receiveAll(_ socket: borrowing Socket) throws -> [UInt8] {
        var (message, all) = (Message(), [UInt8]())
        while try socket.receive(into: &message) { all += message.bytes(at: 0) }
        return all
    }

    @Test("a message alone is due at once; within together it waits until there are enough, or until the end")
    func gathers() throws {
        let (sender, receiver) = try Self.pair(room: 1_000)
        let outbox = Outbox<UInt8>(most: 3)
        Self.put([0], into: outbox)
        #expect(outbox.isDue() && outbox.isDue(1) && !outbox.isFull)
        try outbox.flush(to: sender) { #expect($0 == 0 && $1 == .sent) }
        var reported: [UInt8] = []
        func flush() throws(ZeroMQError) { try outbox.flush(to: sender) { note, _ in reported.append(note) } }
        try outbox.together(
            {
                Self.put([1, 2], into: outbox)
                #expect(!outbox.isDue() && !outbox.isDue(2))
                // A call within another one flushes nothing.
                outbox.together({ Self.put([3], into: outbox) }, flush: { Issue.record("flushed too early") })
                #expect(outbox.isDue() && outbox.isDue(3) && outbox.isFull && outbox.count == 3)
                #expect(reported.isEmpty)
            }, flush: flush)
        #expect(reported == [1, 2, 3] && outbox.isEmpty && !outbox.isGathering)
        #expect(try Self.receiveAll(receiver) == [0, 1, 2, 3])
    }

    @Test("the oldest message waits no longer than the outbox has patience")
    func patience() throws {
        let (sender, receiver) = try Self.pair(room: 1_000)
        let outbox = Outbox<UInt8>(patience: 100)
        try outbox.together(
            {
                Self.put([1], into: outbox, at: 1_000)
                Self.put([2], into: outbox, at: 1_099)
                #expect(!outbox.isDue(at: 1_099))
                #expect(outbox.isDue(at: 1_100))
                try? outbox.flush(to: sender) { _, _ in }
                // The time begins anew with the first message after a flush.
                Self.put([3], into: outbox, at: 5_000)
                #expect(!outbox.isDue(at: 5_099) && outbox.isDue(at: 5_100))
            }, flush: { () throws(ZeroMQError) in try outbox.flush(to: sender) { _, _ in } })
        #expect(try Self.receiveAll(receiver) == [1, 2, 3])
    }

    @Test("each message is reported once, in order, with what became of it, and the outbox can be used again")
    func reports() throws {
        let (sender, receiver) = try Self.pair(room: 1)
        let outbox = Outbox<UInt8>()
        for round in 0..<3 {
            Self.put(0..<10, into: outbox)
            var reports: [(note: UInt8, outcome: SendOutcome?)] = []
            try outbox.flush(to: sender) { reports.append(($0, $1)) }
            #expect(reports.map(\.note) == Array(0..<10))
            let taken = reports.filter { $0.outcome == .sent }.map(\.note)
            #expect(try Self.receiveAll(receiver) == taken)
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
        #expect(throws: ZeroMQError.self) { try outbox.flush(to: deaf) { reports.append(($0, $1)) } }
        #expect(reports.map(\.note) == [1, 2, 3] && reports.allSatisfy { $0.outcome == nil })
        #expect(outbox.isEmpty)
        try outbox.flush(to: deaf) { _, _ in Issue.record("nothing is left to send") }
    }
}
