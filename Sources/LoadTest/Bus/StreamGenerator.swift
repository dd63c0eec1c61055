// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends numbered messages of at least 24 bytes one way, through PUSH or PUB. In an open loop the clock decides when,
/// in a closed loop the socket does, by how fast it takes them.
///
/// In a closed loop PUSH waits while the queue to the other end is full. PUB does not wait: it drops messages, and the
/// other end counts those.
public struct StreamGenerator {
    public var watch = LoadWatch()
    /// Whether to time how long the socket takes to accept each message, for a test that does not see them arrive.
    public var timesSending = false
    /// The generator gives up when the socket has accepted no message for so many nanoseconds.
    public var patience: UInt64 = 5_000_000_000

    /// The tag that its messages carry.
    public var tag: UInt64 = .random(in: .min ... .max)

    public struct Outcome: Sendable {
        /// The last number of the run. Numbers begin with 1, in the warm-up.
        public var last: UInt64
        /// What was sent after the warm-up; latencies only where sending is timed. Its error `nobody_receives`: the run
        /// ended because the socket accepted no message for too long.
        public var result: LoadResult
    }

    /// - Parameters:
    ///   - sender: owned by the calling thread.
    ///   - begun: when the warm-up begins, on ``NanoClock``.
    public func run(
        _ sender: some StreamSender, size: Int, _ shape: LoadShape, from begun: UInt64 = NanoClock.now
    ) throws(ZeroMQError) -> Outcome {
        var run = StreamRun(size, shape, from: begun, self)
        return try run.go(sender)
    }
}
