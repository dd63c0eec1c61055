// SPDX-License-Identifier: Apache-2.0
import TestTurns
import Testing
import ZeroMQ

@Suite("A received message is a collection of frames, and a frame one of bytes", .inShortTurn)
struct ReceivedMessageTests {
    private static let payloads: [[UInt8]] = [
        [], [1, 2, 3], [UInt8](repeating: 3, count: 33), [UInt8](repeating: 4, count: 34),
        (0..<Message.handOverThreshold).map { UInt8(truncatingIfNeeded: $0 &* 31) },
    ]

    @Test("frames and bytes are found by index, iteration and in one go")
    func collection() {
        let message = ReceivedMessage(Message(Self.payloads))
        #expect(message.count == Self.payloads.count)
        #expect(message.map { Array($0) } == Self.payloads)
        #expect(message.map(\.bytes) == Self.payloads)
        #expect(message.map { Array($0.lazy.map(\.self)) } == Self.payloads)
        for (frame, payload) in zip(message, Self.payloads) {
            #expect(frame.count == payload.count)
            #expect(frame.indices.map { frame[$0] } == payload)
            #expect(frame.withUnsafeBytes { [UInt8]($0) } == payload)
            #expect(frame.withContiguousStorageIfAvailable { Array($0) } == payload)
        }
        #expect(Array(message[1].reversed()) == [3, 2, 1])
        #expect(ReceivedMessage(Message()).isEmpty)
    }

    @Test("frames are equal by their bytes")
    func equality() {
        let (one, other) = (ReceivedMessage(Message(Self.payloads)), ReceivedMessage(Message(Self.payloads)))
        for index in one.indices {
            #expect(one[index] == other[index])
            #expect(one[index].hashValue == other[index].hashValue)
        }
        #expect(one[1] != one[2])
        #expect(Set(one).union(Set(other)).count == Self.payloads.count)
    }

    @Test("text is read and written as UTF-8")
    func text() {
        var message = Message()
        message.append("grüße")
        message.append([0x61, 0xFF])
        let received = ReceivedMessage(message)
        #expect(received[0].text == "grüße")
        #expect(received[0].count == 7)
        #expect(received[1].text == "a\u{FFFD}")
    }

    @Test("a frame stays good when its message is gone")
    func keeping() {
        func frame() -> ReceivedFrame { ReceivedMessage(Message(Self.payloads))[1] }
        #expect(Array(frame()) == [1, 2, 3])
    }

    @Test("a long frame is sent on without copying it, a short one is copied")
    func sendingOn() {
        let received = ReceivedMessage(Message(Self.payloads))
        func address(_ frame: ReceivedFrame) -> UnsafeRawPointer? { frame.withUnsafeBytes { $0.baseAddress } }
        let again = ReceivedMessage(Message(received))
        #expect(again.map(\.bytes) == Self.payloads)
        #expect(address(again[4]) == address(received[4]))
        #expect(address(again[3]) != address(received[3]))
    }

    @Test("what is sent on lives as long as libzmq reads it")
    func lifetime() async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = try await AsyncSocket(.pull, context: context, on: loop)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            let client = try await AsyncSocket(.push, context: context, on: loop)
            try await client.connect(endpoint)
            let payload = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            for _ in 0..<4 { try await client.send(ReceivedMessage(Message([payload, [1]]))) }
            for _ in 0..<4 { #expect(try await service.receive().map(\.bytes) == [payload, [1]]) }
        }
    }

    @Test("an index that is not there ends the process")
    func bounds() async {
        await #expect(processExitsWith: .failure) { _ = ReceivedMessage(Message([[1]]))[1] }
        await #expect(processExitsWith: .failure) { _ = ReceivedMessage(Message([[1]]))[0][1] }
    }
}
