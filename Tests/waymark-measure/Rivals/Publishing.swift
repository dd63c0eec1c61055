// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import LoadTest
import ZeroMQ

/// Sends PUBLISH to Redis on a thread of its own, at a rate or as fast as Redis takes it. Each message begins with the
/// time at which it was meant to be sent.
final class Publishing: Sendable {
    private static let window = 64

    private let port: UInt16
    private let size: Int
    private let rate: Double?
    private let seconds: Double
    private let failure = Locked<(any Error)?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    init(port: UInt16, size: Int, rate: Double?, seconds: Double) {
        (self.port, self.size, self.rate, self.seconds) = (port, max(size, RedisReceipts.digits), rate, seconds)
    }

    func begin() throws {
        let redis = port
        Thread.detachNewThread { [self] in
            do { try publish(redis) } catch { failure.withLock { $0 = error } }
            isOver.signal()
        }
    }

    /// Waits until the thread has ended.
    func end() throws {
        isOver.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private func publish(_ port: UInt16) throws {
        let redis = try RESPConnection(port: port)
        let padding = String(repeating: "p", count: size - RedisReceipts.digits)
        func command(_ intended: UInt64) -> [UInt8] {
            let time = String(intended)
            let zeros = String(repeating: "0", count: RedisReceipts.digits - time.utf8.count)
            return RESPConnection.encode(["PUBLISH", RedisFanout.channel, zeros + time + padding])
        }
        let begun = NanoClock.now
        let end = begun + UInt64(seconds * 1e9)
        var (sent, answered) = (0, 0)
        while NanoClock.now < end {
            if let rate {
                let due = begun + UInt64(Double(sent) * 1e9 / rate)
                let now = NanoClock.now
                if due > now + 60_000 { NanoClock.sleep(due - now - 60_000) }
                while NanoClock.now < due {}
                try redis.send(command(due))
                sent += 1
                // Its answers are read late, so that the next message is not.
                while sent - answered > Self.window {
                    _ = try redis.receive()
                    answered += 1
                }
            } else {
                while sent - answered < Self.window {
                    try redis.send(command(NanoClock.now))
                    sent += 1
                }
                _ = try redis.receive()
                answered += 1
            }
        }
        while answered < sent {
            _ = try redis.receive()
            answered += 1
        }
    }
}
