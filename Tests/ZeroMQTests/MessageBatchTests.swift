// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import ZeroMQ

@Suite("Messages that are sent together", .inShortTurn)
struct MessageBatchTests {
    private func build(_ batch: inout MessageBatch, _ message: [[UInt8]]) {
        for frame in message { frame.withUnsafeBytes { batch.append(copying: $0) } }
        batch.endMessage()
    }

    @Test("they arrive one by one, in order, and the batch is empty and can be used again")
    func order() throws {
        let context = try Context()
        let receiver = try Socket(.pull, context: context)
        let endpoint = try receiver.bind("inproc://batch")
        let sender = try Socket(.push, context: context)
        try sender.connect(endpoint)
        var batch = MessageBatch()
        var incoming = Message()
        for round in 0..<UInt8(3) {
            let messages = (0..<UInt8(40)).map { number in
                (0...number % 3).map { [UInt8](repeating: number, count: Int($0) * 50 + Int(round)) }
            }
            for message in messages { build(&batch, message) }
            #expect(batch.count == 40)
            var outcomes: [SendOutcome] = []
            try sender.send(&batch) { outcomes.append($0) }
            #expect(outcomes == Array(repeating: .sent, count: 40) && batch.count == 0)
            for message in messages {
                #expect(try receiver.receive(into: &incoming))
                #expect((0..<incoming.count).map { incoming.bytes(at: $0) } == message)
            }
            #expect(try !receiver.receive(into: &incoming))
        }
    }

    @Test("an array goes as it is, copied or handed over; what is counted is counted until it is read")
    func arrays() throws {
        let context = try Context()
        let receiver = try Socket(.pull, context: context)
        let endpoint = try receiver.bind("inproc://arrays")
        let sender = try Socket(.push, context: context)
        try sender.connect(endpoint)
        for size in [0, 1, 33, 34, Message.handOverThreshold - 1, Message.handOverThreshold, 100_000] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
            let held = HeldBytes()
            var batch = MessageBatch()
            batch.append(bytes)
            batch.append(Frame(bytes, countedBy: held))
            batch.endMessage()
            #expect(held.count == size + HeldBytes.overhead)
            try sender.send(&batch) { #expect($0 == .sent) }
            var incoming = Message()
            #expect(try receiver.receive(into: &incoming))
            #expect(incoming.bytes(at: 0) == bytes && incoming.bytes(at: 1) == bytes)
            #expect(held.count == size + HeldBytes.overhead)
            incoming.removeAll()
            #expect(held.count == 0)
        }
    }

    @Test("one that cannot go is dropped, and those after it go")
    func unroutable() throws {
        let context = try Context()
        var options = SocketOptions()
        options.routerMandatory = true
        let router = try Socket(.router, context: context, options: options)
        let endpoint = try router.bind("inproc://mandatory")
        let dealer = try Socket(.dealer, context: context)
        try dealer.connect(endpoint)
        var hello = Message()
        [UInt8(1)].withUnsafeBytes { hello.append(copying: $0) }
        #expect(try dealer.send(&hello) == .sent)
        var incoming = Message()
        #expect(try router.receive(into: &incoming))
        let peer = incoming.bytes(at: 0)
        let held = HeldBytes()
        var batch = MessageBatch()
        for address in [[9, 9, 9], peer, [8], peer] {
            address.withUnsafeBytes { batch.append(copying: $0) }
            batch.append(Frame(byteCount: 5_000, countedBy: held) { $0.initializeMemory(as: UInt8.self, repeating: 7) })
            batch.endMessage()
        }
        #expect(held.count == 4 * (5_000 + HeldBytes.overhead))
        var outcomes: [SendOutcome] = []
        try router.send(&batch) { outcomes.append($0) }
        #expect(outcomes == [.unroutable, .sent, .unroutable, .sent])
        #expect(held.count == 2 * (5_000 + HeldBytes.overhead), "what was dropped is not held")
        for _ in 0..<2 {
            #expect(try dealer.receive(into: &incoming))
            #expect(incoming.bytes(at: 0) == [UInt8](repeating: 7, count: 5_000))
        }
        incoming.removeAll()
        #expect(held.count == 0)
    }

    @Test("messages that are never sent are freed")
    func unsent() {
        let held = HeldBytes()
        do {
            var batch = MessageBatch()
            batch.append(Frame(byteCount: 100, countedBy: held) { _ in })
            batch.endMessage()
            batch.append(Frame(byteCount: 100, countedBy: held) { _ in })
            #expect(held.count > 0)
        }
        #expect(held.count == 0)
    }
}
