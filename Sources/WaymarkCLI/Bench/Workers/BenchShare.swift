// SPDX-License-Identifier: Apache-2.0

import LoadTest

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

    /// Makes a case with this part of the load, which tells the coordinator its figures.
    func divided(_ one: BenchCase) -> BenchCase {
        var own = one
        own.shape = one.shape.divided(part, of: count)
        own.run = { shape, watch in
            try await begin(shape)
            let meter = LoadMeter()
            var result = try await one.run(
                shape, LoadWatch(stop: watch.stop, tell: { tell(.second($1)) }, countingBegins: { meter.begin() }))
            meter.end(&result.figures)
            let parts = result.parts.map { LoadReport.Run($0, of: one.label, shape: shape) }
            tell(.done([LoadReport.Run(label: one.label, shape: shape, result: result)] + parts))
            return result
        }
        return own
    }
}
