// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import Settings

/// A load test that can be divided among workers.
protocol DividedBench: AsyncParsableCommand {
    var load: BenchShapeOptions { get }
    var report: BenchReportOptions { get }
    var workers: WorkerOptions { get }
    /// The endpoints that the command line names.
    var targets: [String] { get }
    /// The reason why this test cannot be divided; nil if it can.
    var obstacle: String? { get }
}

extension DividedBench {
    /// The reason why a closed loop of requests cannot be divided: each worker needs one of its connections.
    var lackOfClients: String? {
        load.isOpen || load.clients >= workers.endpoints.count
            ? nil : "Each worker needs a connection: give --clients \(workers.endpoints.count) or more."
    }
}

extension DividedBench where Self: ServiceBench {
    var targets: [String] { target.service.connect.map { EndpointText.list($0) } ?? [] }
    var obstacle: String? { target.embedded ? "Workers cannot reach --embedded: leave it out." : lackOfClients }
}

extension BusBench: DividedBench {
    var targets: [String] { [endpoint, receive].compactMap { $0 } }
    var obstacle: String? {
        if endpoint == nil { return "Workers need an endpoint to send to: name it." }
        if pattern.isAnswered { return lackOfClients }
        return pattern == .push && receive != nil
            ? "push with --receive cannot be divided: messages of one worker would arrive at another, whose clock is "
                + "another. Leave --receive or --workers out." : nil
    }
}

/// The part of a divided load test that a worker measures.
struct BenchShare: Sendable {
    /// The share that the running task measures; nil outside of a worker.
    @TaskLocal static var current: BenchShare?

    let part: Int
    let count: Int
    let stop = LoadStop()
    /// Says that a run of this shape is prepared. Returns at the coordinator's word; throws if the test was stopped.
    let begin: @Sendable (LoadShape) async throws -> Void
    let tell: @Sendable (WorkerAnswer) -> Void

    /// Makes a case with this part of the load, which tells the coordinator the figures of each second.
    func divided(_ one: BenchCase) -> BenchCase {
        var own = one
        own.shape = one.shape.divided(part, of: count)
        own.run = { shape, watch in
            try await begin(shape)
            var watch = watch
            watch.tell = { tell(.second($1)) }
            return try await one.run(shape, watch)
        }
        return own
    }
}

/// Adds up the seconds of a run that several workers tell, each at its own time.
struct SharedSeconds {
    /// The most seconds that are kept of a worker.
    private static let most = 100_000
    private var told: [[Tally.Second]]
    private var hasEnded: [Bool]
    private var count = 0

    init(workers: Int) {
        (told, hasEnded) = (Array(repeating: [], count: workers), Array(repeating: false, count: workers))
    }

    mutating func add(_ second: Tally.Second, of worker: Int) {
        if told[worker].count < Self.most { told[worker].append(second.bounded) }
    }

    /// Waits no more for a worker whose run is over, or which is lost.
    mutating func end(_ worker: Int) { hasEnded[worker] = true }

    /// Returns the sum of the next second that all workers have told, with its number from 1; nil if there is none yet.
    mutating func next() -> (number: Int, second: Tally.Second)? {
        guard zip(told, hasEnded).allSatisfy({ $0.count > count || $1 }) else { return nil }
        let seconds = told.filter { $0.count > count }.map { $0[count] }
        guard var sum = seconds.first else { return nil }
        for second in seconds.dropFirst() { sum.add(second) }
        count += 1
        return (count, sum)
    }

    func done(_ worker: Int) -> UInt64 { told[worker].reduce(0) { $0 &+ $1.done } }
}
