// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends load through request ports and measures the answers, on one thread that does nothing else.
///
/// While it has nothing to do, the thread waits in the kernel until an operation is almost due, and then spins, because
/// a wake-up is late by about 50 µs. It does not spin for longer: on a machine with few cores that would slow down the
/// measured service.
public struct RequestGenerator {
    /// The time after which an operation without an answer has failed.
    public var timeout: UInt64
    /// The maximum number of operations in flight; open loop only. Further operations are skipped, so that the memory
    /// does not fill up if the service does not answer.
    public var mostUnderWay = 65_536
    public var watch: LoadWatch
    /// The names of the kinds of operation in a mixed load, if each kind is also counted separately.
    public var parts: [String] = []

    static let late: UInt64 = 1_000_000
    /// The nanoseconds for which a run that was asked to stop waits for the operations in flight.
    static let patience: UInt64 = 5_000_000_000
    static let spin: UInt64 = 60_000

    public init(watch: LoadWatch = LoadWatch(), timeout: UInt64 = 5_000_000_000) {
        (self.watch, self.timeout) = (watch, timeout)
    }

    /// Runs until the end of the shape, then waits for the operations in flight. Call it on a thread that may block.
    ///
    /// - Parameter begun: the time on ``NanoClock`` at which the warm-up begins.
    public func run<Port: RequestPort>(
        _ ports: [Port], _ shape: LoadShape, from begun: UInt64 = NanoClock.now
    ) throws(ZeroMQError) -> LoadResult {
        var run = RequestRun(ports: ports, shape: shape, from: begun, generator: self)
        return try run.go()
    }
}
