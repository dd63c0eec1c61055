// SPDX-License-Identifier: Apache-2.0

import Landmarks

extension Validator {
    private struct Snapshot {
        var feed: String
        var filter: FilterSpec
        var rev: UInt64
        var rows: [Landmark.ID: UInt64]
    }

    /// Snapshot-consistent: the rows are the state at exactly the reported revision.
    mutating func checkSnapshots() {
        guard truth.floor == 1 else { return }
        var snapshots = snapshots().filter { $0.rev <= truth.head }
        snapshots.sort { $0.rev < $1.rev }
        var state: [Landmark.ID: LogEntry] = [:]
        var place = 0
        for snapshot in snapshots {
            while place < truth.log.count, truth.log[place].rev <= snapshot.rev {
                let entry = truth.log[place]
                state[entry.id] = entry.operation == .removed ? nil : entry
                place += 1
            }
            let right = state.filter { snapshot.filter.matches($0.value.after) }.mapValues(\.landmark)
            guard right != snapshot.rows else { continue }
            let wrong = Set(right.keys).union(snapshot.rows.keys).filter { right[$0] != snapshot.rows[$0] }
            broken(
                .snapshotConsistent,
                "\(wrong.count) of \(right.count) landmarks are not as they were, such as "
                    + (wrong.first.map { "\($0)" } ?? ""), client: snapshot.feed, rev: snapshot.rev)
        }
    }

    private func snapshots() -> [Snapshot] {
        var snapshots: [Snapshot] = []
        for (name, records) in history.feeds {
            var filter = FilterSpec()
            var epoch: UUIDv7?
            var rows: [Landmark.ID: UInt64] = [:]
            for record in records {
                switch record {
                case .begin(let asked, _):
                    filter = asked
                    rows = [:]
                case .epoch(let now, _): epoch = now
                case .row(let id, let digest): rows[id] = digest
                case .synced(let rev):
                    if epoch == truth.epoch {
                        snapshots.append(Snapshot(feed: name, filter: filter, rev: rev, rows: rows))
                    }
                    rows = [:]
                default: continue
                }
            }
        }
        return snapshots
    }
}
