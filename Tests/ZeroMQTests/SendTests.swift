// SPDX-License-Identifier: Apache-2.0
import TestTurns
import Testing
import ZeroMQ

@Suite(.inShortTurn)
struct SendTests {
    @Test("Without a peer a client's send would block, and the message is intact")
    func noPeer() async throws {
        let context = try Context()
        try await withLoop { loop in
            let client = Peer(loop)
            try await client.open(.dealer, context, .client)
            #expect(try await client.sendAndCompare([[1], [], [UInt8](repeating: 2, count: 100)]) == .wouldBlock)
        }
    }

    @Test("A full queue is a value; once there is room the loop says so", arguments: Transport.allCases)
    func highWaterMark(transport: Transport) async throws {
        let context = try Context()
        try await withLoop { loop in
            var options = SocketOptions.service
            (options.sendHighWaterMark, options.receiveHighWaterMark) = (2, 2)
            (options.kernelSendBuffer, options.kernelReceiveBuffer) = (4096, 4096)
            let sink = Peer(loop)
            try await sink.open(.pull, context, options, isReading: false)
            let endpoint = try await sink.bind(transport.endpoint())
            let source = Peer(loop)
            options.immediate = true
            try await source.open(.push, context, options, monitored: true)
            try await source.connect(endpoint)
            let payload = [[1], [UInt8](repeating: 7, count: 50_000), [3]]
            var sent = try await source.sendWhenWritable(payload) > 0 ? 1 : 0
            while try await source.sendAndCompare(payload) == .sent { sent += 1 }
            #expect(sent < 1000)
            await sink.setReading(true)
            _ = try await source.sendWhenWritable([[9]])
            for _ in 0..<sent { #expect(try await sink.next() == payload) }
            #expect(try await sink.next() == [[9]])
        }
    }

    @Test("A router tells an unknown peer from a slow one, and the message is intact")
    func unroutable() async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = Peer(loop)
            try await service.open(.router, context, .service)
            #expect(try await service.sendAndCompare([[1, 2, 3, 4, 5], [6]]) == .unroutable)
        }
    }

    @Test("One payload is shared with three peers")
    func sharing() async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = Peer(loop)
            try await service.open(.router, context, .service)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            var clients: [Peer] = []
            for index in 0..<3 as Range<UInt8> {
                let client = Peer(loop)
                try await client.open(.dealer, context)
                try await client.connect(endpoint)
                try await client.send([[index]])
                clients.append(client)
            }
            var ids: [[UInt8]] = []
            for _ in clients { ids.append(try await service.next()[0]) }
            let payload = [UInt8](repeating: 8, count: 70_000)
            #expect(try await service.sendShared(payload, to: ids) == [.sent, .sent, .sent])
            for client in clients { #expect(try await client.next() == [payload]) }
        }
    }
}

extension Peer {
    /// Sends, and checks what the outcome says about the message.
    func sendAndCompare(_ frames: [[UInt8]]) throws -> SendOutcome {
        var message = Message(frames)
        let outcome = try send(&message)
        #expect(message.frames == (outcome == .sent ? [] : frames))
        return outcome
    }

    func sendShared(_ payload: [UInt8], to ids: [[UInt8]]) throws -> [SendOutcome] {
        var original = Frame(payload)
        var outcomes: [SendOutcome] = []
        for id in ids {
            var message = Message([id])
            message.append(original.share())
            outcomes.append(try send(&message))
        }
        return outcomes
    }
}
