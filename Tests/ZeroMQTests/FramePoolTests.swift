// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestTurns
import Testing

@testable import ZeroMQ

@Suite("Memory of frames that is used again", .inShortTurn)
struct FramePoolTests {
    private func frame(_ pool: FramePool, _ byteCount: Int, of byte: UInt8) -> Frame {
        Frame(byteCount: byteCount, from: pool) { room in
            for place in room.indices { room[place] = byte }
        }
    }

    @Test(
        "the memory of a frame that is gone is the next one's, if both have some kilobytes", arguments: [1_024, 4_064])
    func again(byteCount: Int) {
        let pool = FramePool()
        let first = frame(pool, byteCount, of: 1)
        let address = first.withUnsafeBytes { $0.baseAddress }
        #expect(pool.idleCount == 0)
        _ = consume first
        #expect(pool.idleCount == 1)
        let second = frame(pool, 2_000, of: 2)
        #expect(second.withUnsafeBytes { $0.baseAddress } == address)
        #expect(second.bytes == [UInt8](repeating: 2, count: 2_000))
        #expect(pool.idleCount == 0)
    }

    @Test("shorter and longer frames are none of its business", arguments: [0, 1, 1_023, 4_065, 100_000])
    func others(byteCount: Int) {
        let pool = FramePool()
        let other = frame(pool, byteCount, of: 3)
        #expect(other.bytes == [UInt8](repeating: 3, count: byteCount))
        _ = consume other
        #expect(pool.idleCount == 0)
    }

    @Test("it keeps no more than a bounded number of blocks")
    func bounded() {
        let pool = FramePool()
        var message = Message()
        for _ in 0..<1_000 { message.append(frame(pool, 3_000, of: 4)) }
        #expect(pool.idleCount == 0)
        message.removeAll()
        #expect(pool.idleCount == 256)
    }

    @Test("frames outlive the pool's owner")
    func outlived() {
        var pool: FramePool? = FramePool()
        weak let left = pool
        var frame: Frame? = pool.map { self.frame($0, 2_000, of: 5) }
        pool = nil
        #expect(left != nil)
        #expect(frame?.bytes == [UInt8](repeating: 5, count: 2_000))
        frame = nil
        #expect(left == nil)
    }

    /// A frame that is handed from thread to thread.
    private final class Sent: Sendable {
        let frame: Frame
        let expected: [UInt8]

        init(_ frame: consuming Frame, _ expected: [UInt8]) {
            self.frame = frame
            self.expected = expected
        }
    }

    @Test("no byte is mixed up while other threads let go of the frames")
    func threads() async throws {
        let pool = FramePool()
        let waiting = Mutex<[Sent]>([])
        let wrong = Atomic<Int>(0)
        let isOver = Atomic<Bool>(false)
        let readers = (0..<3).map { _ in
            Thread {
                while true {
                    let last = isOver.load(ordering: .acquiring)
                    guard let sent = waiting.withLock({ $0.popLast() }) else {
                        if last { return }
                        usleep(20)
                        continue
                    }
                    if sent.frame.bytes != sent.expected { wrong.add(1, ordering: .relaxed) }
                }
            }
        }
        readers.forEach { $0.start() }
        for number in 0..<20_000 {
            let (byte, byteCount) = (UInt8(truncatingIfNeeded: number), 1_100 + number % 900)
            let sent = Sent(frame(pool, byteCount, of: byte), [UInt8](repeating: byte, count: byteCount))
            waiting.withLock { $0.append(sent) }
            // Some end here, before those that were sent.
            if number % 3 == 0 { _ = frame(pool, byteCount, of: 0xFF) }
        }
        isOver.store(true, ordering: .releasing)
        try await until { readers.allSatisfy(\.isFinished) }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect((1...256).contains(pool.idleCount))
    }
}
