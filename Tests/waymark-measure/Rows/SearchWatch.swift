// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WaymarkClient

/// Polls how far storage's search has come, and computes at the end how many rows a commit had.
struct SearchWatch {
    private let client: WaymarkClient
    private let first: StorageStatus?
    private let watching: Task<Double, any Error>

    init(_ stage: Stage) async throws {
        let client = try await stage.client(isOfStorage: true)
        self.client = client
        first = try await client.status().storage
        watching = Task {
            var lag = SearchLag()
            while !Task.isCancelled {
                let status: StorageStatus?
                do {
                    status = try await client.status().storage
                } catch {
                    // The request that is under way when the watching ends is cancelled with it.
                    if Task.isCancelled { break }
                    throw error
                }
                lag.told(head: status?.head ?? 0, search: status?.searchRev ?? 0, at: NanoClock.now)
                try? await Task.sleep(for: .milliseconds(20))
            }
            return lag.greatest
        }
    }

    /// - Returns: the rows of a commit, and the greatest delay of the search in seconds.
    func end() async throws -> (rows: Double, lag: Double) {
        let last = try await client.status().storage
        watching.cancel()
        let lag = try await watching.value
        await client.close()
        let commits = last.count("commits") - first.count("commits")
        return (commits > 0 ? (last.count("changes") - first.count("changes")) / commits : 0, lag)
    }
}

extension StorageStatus? {
    fileprivate func count(_ name: String) -> Double {
        Double(self?.counters.first { $0.name == name }?.value ?? 0)
    }
}

/// The delay between seeing a revision written and seeing it searchable.
struct SearchLag {
    /// The heads that the search has not reached, with the time when each was first seen.
    private var waiting: [(head: UInt64, at: UInt64)] = []
    /// In seconds.
    private(set) var greatest = 0.0

    mutating func told(head: UInt64, search: UInt64, at now: UInt64) {
        if head > (waiting.last?.head ?? search) { waiting.append((head, now)) }
        // A head that is still waiting has waited at least this long.
        if let first = waiting.first { greatest = max(greatest, Double(now - first.at) / 1e9) }
        waiting.removeAll { $0.head <= search }
    }
}
