// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends load through request ports and measures the answers: one thread, which does nothing else.
///
/// While idle the thread waits in the kernel until an operation is almost due, and spins for the rest: a wake-up is
/// late by some 50 µs. It does not spin for longer, because on a machine with few cores that would slow down the
/// measured service.
public struct RequestGenerator {
    /// The time after which an operation without an answer has failed.
    public var timeout: UInt64
    /// Open loop only: the most operations in flight. Further ones are skipped, so that a service that stands still
    /// does not fill the memory.
    public var mostUnderWay = 65_536
    public var watch: LoadWatch
    /// The names of the parts of a mixed load that are also counted separately.
    public var parts: [String] = []

    static let late: UInt64 = 1_000_000
    static let spin: UInt64 = 60_000

    public init(watch: LoadWatch = LoadWatch(), timeout: UInt64 = 5_000_000_000) {
        (self.watch, self.timeout) = (watch, timeout)
    }

    /// Runs until the shape's end, then waits for the operations in flight. Call it on a thread that may block.
    ///
    /// - Parameter begun: the time at which the warm-up begins, on ``NanoClock``.
    public func run<Port: RequestPort>(
        _ ports: [Port], _ shape: LoadShape, from begun: UInt64 = NanoClock.now
    ) throws(ZeroMQError) -> LoadResult {
        var run = RequestRun(ports: ports, shape: shape, from: begun, generator: self)
        return try run.go()
    }
}
