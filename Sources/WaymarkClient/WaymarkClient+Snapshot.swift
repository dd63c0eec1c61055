// SPDX-License-Identifier: Apache-2.0

import Failpoints
import Foundation
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

extension WaymarkClient {
    /// The landmarks that match, as they are at exactly one position, ordered by id.
    ///
    /// The pages have different revisions, because storage keeps no read transaction open for a slow reader. The
    /// changes since the reading began are then read from the log and applied: the result is the state at the last of
    /// these changes. If the log was compacted meanwhile, the reading starts again.
    func snapshot(matching filter: FeedFilter) async throws(ClientError) -> ([EncodedLandmark], Position) {
        var filter = filter
        filter.operations = []
        var pause = Duration.milliseconds(100)
        while true {
            do throws(ClientError) {
                return try await snapshotOnce(filter)
            } catch {
                guard case .refused(let refusal) = error, [.compacted, .epochChanged].contains(refusal.code),
                    pause < .seconds(3), !Task.isCancelled
                else { throw error }
                // The query service may need a moment to notice the new history.
                try? await Task.sleep(for: pause)
                pause *= 2
            }
        }
    }

    private func snapshotOnce(_ filter: FeedFilter) async throws(ClientError) -> ([EncodedLandmark], Position) {
        var position = try await hello().position
        var rows: [Landmark.ID: Data] = [:]
        var head: UInt64 = 0
        var after = Data()
        repeat {
            let page = try await snapshotPage(after: after, matching: filter)
            for bytes in page.landmarks {
                guard let wire = try? WireLandmark(serializedBytes: bytes), let id = UUIDv7(bytes: wire.id) else {
                    throw .unreadableAnswer("a landmark")
                }
                rows[id] = bytes
            }
            head = page.head
            after = page.next
        } while !after.isEmpty
        while !Mutation.isOn(.snapshotUnrepaired) {
            let page = try await changesPage(after: position, matching: filter, limit: 1_000)
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
            let hasMoved = page.through > position.rev
            position.rev = page.through
            position.run = UUIDv7(bytes: page.run)
            if page.through >= head { break }
            guard hasMoved else { throw .unreadableAnswer("a page of changes") }
        }
        let sorted = rows.sorted { $0.key < $1.key }.map { EncodedLandmark(bytes: $0.value) }
        return (sorted, position)
    }

    private func snapshotPage(
        after: Data, matching filter: FeedFilter
    ) async throws(ClientError) -> WireReadySnapshotPage {
        var request = WireRequest()
        request.snapshot = .with {
            $0.after = after
            if !filter.isEmpty { $0.filter = filter.wire }
        }
        let (_, reply) = try await sendReady(request)
        guard case .snapshot(let page)? = reply.result else { throw .unreadableAnswer("snapshot") }
        return page
    }
}
