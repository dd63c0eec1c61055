// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// The landmarks of a snapshot while it is being read.
struct SnapshotRows {
    private var rows: [Landmark.ID: Data] = [:]

    /// Adds the landmarks of a page of the snapshot.
    mutating func add(_ page: WireReadySnapshotPage) throws(ClientError) {
        for bytes in page.landmarks {
            guard let wire = try? WireLandmark(serializedBytes: bytes), let id = UUIDv7(bytes: wire.id) else {
                throw .unreadableAnswer("a landmark")
            }
            rows[id] = bytes
        }
    }

    /// Applies the changes of a page of the log, in order.
    ///
    /// - Parameter filter: the filter of the snapshot and of the page. With a filter, the page says for each change
    ///   whether the landmark still matches.
    mutating func apply(_ page: WireChangesPage, of filter: FeedFilter) throws(ClientError) {
        guard filter.isEmpty || page.operations.count == page.changes.count else {
            throw .unreadableAnswer("a page of changes")
        }
        for (place, change) in page.changes.enumerated() {
            guard let id = UUIDv7(bytes: change.landmark.id) else { throw .unreadableAnswer("a change") }
            let operation = filter.isEmpty ? change.operation : page.operations[place]
            switch operation {
            case .removed, .left: rows[id] = nil
            case .added, .changed, .noted, .entered:
                do { rows[id] = try change.landmark.serializedBytes() } catch {
                    throw .unreadableAnswer("a change")
                }
            case .unspecified, .UNRECOGNIZED: throw .unreadableAnswer("a change of a later version")
            }
        }
    }

    /// The landmarks in the order of their ids.
    var sorted: [EncodedLandmark] {
        rows.sorted { $0.key < $1.key }.map { EncodedLandmark(bytes: $0.value) }
    }
}
