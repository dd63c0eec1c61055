// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import WaymarkProtocol

/// Reads the pages of a snapshot on another thread than the service's.
actor SnapshotReader {
    typealias Reading = Result<(count: Int, total: UInt64), ServiceError>

    private var snapshot: ReplicaSnapshot

    init(at position: Position) {
        snapshot = ReplicaSnapshot(at: position)
    }

    /// - Parameter last: the task that reads the page before; nil for the first page.
    func read(_ reply: [UInt8], after last: Task<Reading, Never>?) async -> Reading {
        if let last, case .failure(let failure) = await last.value { return .failure(failure) }
        do throws(ServiceError) { try snapshot.append(page: reply) } catch { return .failure(error) }
        return .success((snapshot.count, snapshot.total))
    }

    /// Builds the replica from all pages. May be called once.
    func replica() async -> sending Replica {
        // This copy is the only one, so the pages are freed as soon as the replica is built.
        let snapshot = snapshot
        self.snapshot = ReplicaSnapshot(at: snapshot.position)
        return await snapshot.replica()
    }
}
