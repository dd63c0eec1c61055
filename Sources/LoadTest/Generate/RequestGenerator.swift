// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Offers load to request ports and measures what comes back: one thread, which does nothing else.
///
/// Between two things to do it waits in the kernel only when there are more than two milliseconds to go; the rest it
/// spins, because a wake-up may be late by more than what is measured.
public struct RequestGenerator {
    /// An operation that has no answer by then has failed.
    public var timeout: UInt64 = 5_000_000_000
    /// Open loop: more are not sent but skipped, so that a service which stands still does not fill the memory.
    public var mostUnderWay = 65_536
    public var watch = LoadWatch()
    /// So many parts of a mixed load are also counted by themselves.
    public var parts = 0

    static let late: UInt64 = 1_000_000
    static let spin: UInt64 = 2_000_000

    public init() {}

    /// What a run came to.
    public struct Outcome: Sendable {
        public var tally: Tally
        /// Of each part of a mixed load.
        public var parts: [Tally]
        /// Seconds that were counted.
        public var seconds: Double
        /// What part of them the generator had something to do. Near 1 it is the generator that is measured.
        public var busy: Double
    }

    /// Runs until the shape's end, then waits for what is under way. Call it on a thread that may block.
    ///
    /// - Parameter begun: when the warm-up begins, on ``NanoClock``.
    public func run<Port: RequestPort>(
        _ ports: [Port], _ shape: LoadShape, from begun: UInt64 = NanoClock.now
    ) throws(ZeroMQError) -> Outcome {
        var run = RequestRun(ports: ports, shape: shape, from: begun, generator: self)
        return try run.go()
    }
}
