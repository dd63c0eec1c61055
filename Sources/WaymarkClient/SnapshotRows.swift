// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import WaymarkProtocol
internal import WaymarkTransport

/// The landmarks of a snapshot while it is being read.
struct SnapshotRows {
    private var rows: [Landmark.ID: Data] = [:]

    /// Adds the landmarks of a page of the snapshot.
    mutating func add(_ page: WireReadySnapshotPage) throws(ClientError) {
        for bytes in page.landmarks {
            guard let id = bytes.withUnsafeBytes({ LandmarkView($0)?.id }) else {
                throw .unreadableAnswer("a landmark")
            }
            rows[id] = bytes
        }
    }

    /// Applies the changes of a page of the log, in order.
    ///
    /// - Parameter filter: the filter of the snapshot and of the page. With a filter, the page says for each change
    ///   whether the landmark still matches.
    mutating func apply(_ page: PulledPage, of filter: FeedFilter) throws(ClientError) {
        for (_, message) in page.changes {
            guard case .success(let subjects) = message.change.subjects else { throw .unreadableAnswer("a change") }
            let own = message.change.operation.map { FeedOperation($0) }
            switch filter.isEmpty ? own : message.operation {
            case .removed, .left: rows[subjects.after.id] = nil
            case .added, .changed, .noted, .entered:
                rows[subjects.after.id] = message.change.withLandmark { Data($0) }
            case nil: throw .unreadableAnswer("a change of a later version")
            }
        }
    }

    /// The landmarks in the order of their ids.
    var sorted: [EncodedLandmark] {
        rows.sorted { $0.key < $1.key }.map { EncodedLandmark(bytes: $0.value) }
    }
}
