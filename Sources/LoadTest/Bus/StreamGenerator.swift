// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends numbered messages of at least 24 bytes one way, through PUSH or PUB: the clock decides when, or, in a closed loop,
/// how fast the socket takes them.
///
/// In a closed loop PUSH waits while the other end has its fill; PUB does not wait but drops, which the other end counts.
public struct StreamGenerator {
    public var watch = LoadWatch()
    /// Keep a tally of how long the socket took to take each message, for a test that cannot see where they arrive.
    public var timesSending = false
    /// Nanoseconds after which it gives up when nobody takes a message.
    public var patience: UInt64 = 5_000_000_000

    /// What its messages are known by.
    public var tag: UInt64 = .random(in: .min ... .max)

    public init() {}

    public struct Outcome: Sendable {
        /// Of the whole run, the warm-up too: numbers begin with 1 and end here.
        public var last: UInt64 = 0
        /// Messages with numbers up to here were sent during the warm-up.
        public var lastWarm: UInt64 = 0
        public var late: UInt64 = 0
        /// Meant to be sent before the end, and not sent.
        public var skipped: UInt64 = 0
        /// It ended because nobody took a message for too long.
        public var isBlocked = false
        /// How long was counted.
        public var seconds: Double = 0
        /// What part of it the generator had something to do.
        public var busy: Double = 0
        /// Where sending is timed.
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
