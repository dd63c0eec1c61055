// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends numbered messages of at least 24 bytes one way, through PUSH or PUB. In an open loop the clock sets the pace,
/// in a closed loop the socket does, by how fast it accepts them.
///
/// In a closed loop PUSH waits while the queue to the other end is full. PUB does not wait: it drops messages, and the
/// other end counts those.
public struct StreamGenerator {
    public var watch = LoadWatch()
    /// Whether to time how long the socket takes to accept each message, for a test that does not see them arrive.
    public var timesSending = false
    /// The nanoseconds without an accepted message after which the generator gives up.
    public var patience: UInt64 = 5_000_000_000

    /// The tag of the generator's messages.
    public var tag: UInt64 = .random(in: .min ... .max)

    public struct Outcome: Sendable {
        /// The last number of the run. Numbers begin with 1, in the warm-up.
        public var last: UInt64
        /// The result of sending, without the warm-up; latencies only if sending is timed. The error `nobody_receives`
        /// means that the run ended because the socket accepted no message for too long.
        public var result: LoadResult
    }

    /// - Parameters:
    ///   - sender: the sending end, owned by the calling thread.
    ///   - begun: the time at which the warm-up begins, on ``NanoClock``.
    public func run(
        _ sender: some StreamSender, size: Int, _ shape: LoadShape, from begun: UInt64 = NanoClock.now
    ) throws(ZeroMQError) -> Outcome {
        var run = StreamRun(size, shape, from: begun, self)
        return try run.go(sender)
    }
}
