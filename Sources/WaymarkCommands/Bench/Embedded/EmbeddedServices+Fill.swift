// SPDX-License-Identifier: Apache-2.0

import Ingest
import LoadTest
import WaymarkClient
import WaymarkLoad
import ZeroMQ

extension EmbeddedServices {
    /// Adds generated landmarks, and returns when the query service has all of them.
    ///
    /// - Parameter tell: receives the number of landmarks so far.
    func fill(_ count: Int, seed: UInt64, stop: LoadStop, tell: @escaping @Sendable (Int) -> Void) async throws {
        guard count > 0 else { return }
        let rows = min(1_000, count)
        let requests = (count + rows - 1) / rows
        let test = ServiceTest(endpoint: endpoint, user: "bench", timeout: 60_000_000_000) {
            [
                WeightedOperation(
                    IngestOperation(source: "generated", rows: rows, around: nil, seed: seed, run: "", of: count))
            ]
        }
        let done = Locked(0)
        let result = try await test.run(
            LoadShape(loop: .closed(window: 4), end: .count(requests), warmUp: 0, seed: seed),
            LoadWatch(
                stop: stop,
                tell: { _, second in
                    tell(
                        done.withLock { done in
                            done += Int(second.done) * rows
                            return done
                        })
                }))
        guard result.figures.failures == 0 else {
            throw Failure(
                .failed, "embedded",
                "The landmarks could not be generated: \(result.figures.errors.keys.sorted().joined(separator: ", ")).")
        }
        if !stop.isAsked { try await catchUp(stop) }
    }

    /// Adds a given data set, and returns when the query service has all of it.
    ///
    /// - Parameter tell: receives the number of rows so far.
    func fill(_ data: BenchData, stop: LoadStop, tell: @escaping @Sendable (Int) -> Void) async throws {
        let run = IngestRun(source: data.source, rows: data.rows, vanished: .keep)
        do {
            let options = WaymarkClient.Options(endpoint: endpoint, user: "bench", timeout: .seconds(60))
            let report = try await WaymarkClient.using(options) { client -> IngestReport in
                try await run.run { request in
                    if stop.isAsked { throw CancellationError() }
                    return try await client.send(request).1
                } progress: { done, _ in
                    tell(done)
                }
            }
            guard report.added > 0 else {
                throw Failure(
                    .failed, "embedded",
                    "Storage added no landmark of \(data.source): try waymark ingest to see why.")
            }
        } catch is CancellationError {
            // Interrupted: nothing is going to be measured.
        }
        if !stop.isAsked { try await catchUp(stop) }
    }

    private func catchUp(_ stop: LoadStop) async throws {
        // Without a time limit while there is progress: figures with only a part of the landmarks would be useless.
        var progress = FillProgress(patience: Self.patience)
        try await WaymarkClient.using(.init(endpoint: endpoint, user: "bench")) { client in
            while !stop.isAsked {
                let status = try await client.status()
                if status.query.ready, status.query.rev >= status.storage.head,
                    status.storage.searchRev >= status.storage.head
                {
                    break
                }
                guard progress.goesOn([status.query.rev, status.storage.searchRev]) else {
                    throw Failure(
                        .failed, "embedded",
                        "The services stopped loading the landmarks: for \(Self.patience) the query service is at "
                            + "revision \(status.query.rev) and the search at \(status.storage.searchRev) of "
                            + "\(status.storage.head). Check the memory and disk of this machine.")
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}
