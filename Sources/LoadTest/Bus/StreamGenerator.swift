// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends numbered messages of at least 24 bytes one way, through a PUSH or PUB socket. In an open loop the clock sets
/// the pace. In a closed loop the socket sets it, by how fast it accepts messages.
///
/// In a closed loop PUSH waits while the queue to the receiver is full. PUB does not wait but drops messages, and the
/// receiver counts how many are missing.
public struct StreamGenerator {
    public var watch = LoadWatch()
    /// Whether to time how long the socket takes to accept each message, for a test that does not see messages arrive.
    public var timesSending = false
    /// The time in nanoseconds without an accepted message after which the generator gives up.
    public var patience: UInt64 = 5_000_000_000

    /// The tag of the run, which every message contains.
    public var tag: UInt64 = .random(in: .min ... .max)

    public struct Outcome: Sendable {
        /// The last number of the run. The numbers begin with 1 in the warm-up.
        public var last: UInt64
        /// The result of sending, without the warm-up. It has latencies only if sending is timed. The error
        /// `nobody_receives` means that the run ended because the socket accepted no message for too long.
        public var result: LoadResult
    }

    /// - Parameters:
    ///   - sender: the sender, owned by the calling thread.
    ///   - begun: the time on ``NanoClock`` at which the warm-up begins.
    public func run(
        _ sender: some StreamSender, size: Int, _ shape: LoadShape, from begun: UInt64 = NanoClock.now
    ) throws(ZeroMQError) -> Outcome {
        var run = StreamRun(size, shape, from: begun, self)
        return try run.go(sender)
    }
}
