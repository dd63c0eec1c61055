// SPDX-License-Identifier: Apache-2.0
import TestTurns
import Testing
import ZeroMQ

@Suite(.inShortTurn)
struct MessageTests {
    @Test("Frames come back as they were appended, over the growth of the message")
    func appending() {
        var message = Message()
        let frames = (0..<40).map { [UInt8](repeating: UInt8($0), count: $0) }
        for (index, frame) in frames.enumerated() {
            if index.isMultiple(of: 2) {
                message.append(frame)
            } else {
                frame.withUnsafeBytes { message.append(copying: $0) }
            }
        }
        #expect(message.count == 40)
        #expect(message.frames == frames)
        #expect(message.totalByteCount == (0..<40).reduce(0, +))
        #expect(message.byteCount(at: 33) == 33)
        message.removeAll()
        #expect(message.count == 0 && message.totalByteCount == 0)
        message.append([7])
        #expect(message.frames == [[7]])
    }

    @Test(
        "A message keeps its bytes when the array changes later",
        arguments: [1, 33, 34, Message.handOverThreshold - 1, Message.handOverThreshold, 1 << 20])
    func independence(size: Int) {
        var bytes = [UInt8](repeating: 1, count: size)
        var message = Message()
        message.append(bytes)
        let frame = Frame(bytes)
        bytes[0] = 2
        bytes[size - 1] = 2
        #expect(message.bytes(at: 0) == [UInt8](repeating: 1, count: size))
        #expect(frame.bytes == [UInt8](repeating: 1, count: size))
        #expect(frame.byteCount == size)
    }

    @Test("Taking a frame leaves an empty one", arguments: [5, 33, 34, 100_000])
    func taking(size: Int) {
        let bytes = [UInt8](repeating: 9, count: size)
        var message = Message([[1], bytes, [3]])
        let frame = message.take(at: 1)
        #expect(message.frames == [[1], [], [3]])
        #expect(frame.bytes == bytes)
        message.append(frame)
        #expect(message.frames == [[1], [], [3], bytes])
    }

    @Test("Sharing copies no payload", arguments: [34, 1000, 100_000])
    func sharing(size: Int) {
        let bytes = [UInt8](repeating: 9, count: size)
        var message = Message([bytes])
        var shared = message.share(at: 0)
        let again = shared.share()
        let address = message.withUnsafeBytes(at: 0) { $0.baseAddress }
        #expect(shared.withUnsafeBytes { $0.baseAddress } == address)
        #expect(again.withUnsafeBytes { $0.baseAddress } == address)
        message.removeAll()
        #expect(again.bytes == bytes)
    }

    @Test("A small frame is shared by value")
    func sharingSmall() {
        var message = Message([[1, 2, 3]])
        let shared = message.share(at: 0)
        message.removeAll()
        #expect(shared.bytes == [1, 2, 3])
    }

    @Test("A message moves to another task with its small payload")
    func moving() async {
        let message = Message([[1, 2, 3], []])
        let frames = await Task { message.frames }.value
        #expect(frames == [[1, 2, 3], []])
    }

    @Test("A closure gets the bytes of a frame, and its error leaves as it is")
    func unsafeBytes() {
        struct Refusal: Error, Equatable {}
        let message = Message([[1, 2, 3]])
        #expect(message.withUnsafeBytes(at: 0) { $0.count } == 3)
        #expect(message.withUnsafeBytes(at: 0) { $0[1] } == 2)
        #expect(throws: Refusal()) {
            try message.withUnsafeBytes(at: 0) { (_) throws(Refusal) -> Int in throw Refusal() }
        }
    }
}
