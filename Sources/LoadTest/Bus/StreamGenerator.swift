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

    public init() {}

    public struct Outcome: Sendable {
        /// The last number of the run. Numbers begin with 1, in the warm-up.
        public var last: UInt64 = 0
        /// Messages with numbers up to here were sent during the warm-up.
        public var lastWarm: UInt64 = 0
        public var late: UInt64 = 0
        /// Messages that were meant to be sent before the end, and were not.
        public var skipped: UInt64 = 0
        /// Whether the run ended because the socket accepted no message for too long.
        public var isBlocked = false
        /// The measured time in seconds.
        public var seconds: Double = 0
        /// The share of that time in which the generator was busy, 0 to 1.
        public var busy: Double = 0
        /// How long the socket took to accept messages, where that is timed.
        public var tally: Tally?
    }

    /// - Parameters:
    ///   - sender: owned by the calling thread.
    ///   - begun: when the warm-up begins, on ``NanoClock``.
    public func run(
        _ sender: some StreamSender, size: Int, _ shape: LoadShape, from begun: UInt64 = NanoClock.now
    ) throws(ZeroMQError) -> Outcome {
        var run = StreamRun(size, shape, from: begun, self)
        try run.go(sender)
        return run.outcome
    }

    /// Sends greetings until `isOver` says so.
    static func greet(_ sender: some StreamSender, tag: UInt64, until isOver: () -> Bool) throws(ZeroMQError) {
        var greeting = Payload.make(Payload.fewestTagged)
        Payload.write(0, 0, tag: tag, into: &greeting)
        while !isOver() {
            _ = try sender.send(greeting)
            NanoClock.sleep(2_000_000)
        }
    }
}
