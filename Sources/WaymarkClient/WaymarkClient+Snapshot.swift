// SPDX-License-Identifier: Apache-2.0

package import ChangeFeed
import FoundationEssentials
package import Landmarks
import SwiftProtobuf
import WaymarkProtocol

extension WaymarkClient {
    /// The landmarks that match, as they are at exactly one position, ordered by id.
    ///
    /// ``SnapshotReading`` says which requests that takes. If the log was compacted meanwhile, or storage was restarted,
    /// the reading begins again.
    package func snapshot(matching filter: FeedFilter) async throws(ClientError) -> ([EncodedLandmark], Position) {
        var filter = filter
        filter.operations = []
        var pauses = SnapshotPauses()
        while true {
            do throws(ClientError) {
                return try await snapshotOnce(filter)
            } catch {
                guard error.endsSnapshot, pauses.count < 6, !Task.isCancelled else { throw error }
                // The query service may need a moment to notice the new history.
                try? await Task.sleep(for: pauses.next())
            }
        }
    }

    private func snapshotOnce(_ filter: FeedFilter) async throws(ClientError) -> ([EncodedLandmark], Position) {
        var reading = SnapshotReading(from: try await hello().position)
        var rows = SnapshotRows()
        while true {
            switch reading.step {
            case .page(let after):
                let (page, position) = try await snapshotPage(after: after, matching: filter)
                try rows.add(page)
                do throws(SnapshotReading.Failure) {
                    try reading.page(next: [UInt8](page.next), head: page.head, position: position)
                } catch { throw ClientError(error) }
            case .changes(let since):
                let page = try await changesPage(after: since, matching: filter, limit: 1_000)
                try rows.apply(page, of: filter)
                do throws(SnapshotReading.Failure) {
                    try reading.changes(through: page.through, run: page.run)
                } catch { throw ClientError(error) }
            case .complete(let position): return (rows.sorted, position)
            }
        }
    }

    /// A step of a reading whose caller keeps nothing.
    package enum SnapshotStep: Sendable {
        /// Landmarks of a page, as they were at about this position.
        case landmarks([EncodedLandmark], Position)
        /// What has changed since the reading began, after all pages.
        case changes([FeedChange], Position)
        case complete(Position)
    }

    /// Makes the next request of a reading, and reports its answer there. An error of the request leaves the reading as it
    /// was; one for which ``ClientError/endsSnapshot`` holds ends it.
    package func read(
        _ reading: inout SnapshotReading, matching filter: FeedFilter, limit: Int
    ) async throws(ClientError) -> SnapshotStep {
        switch reading.step {
        case .page(let after):
            let (page, position) = try await snapshotPage(after: after, matching: filter, limit: limit)
            do throws(SnapshotReading.Failure) {
                try reading.page(next: [UInt8](page.next), head: page.head, position: position)
            } catch { throw ClientError(error) }
            return .landmarks(page.landmarks.map { EncodedLandmark(bytes: $0) }, position ?? reading.position)
        case .changes(let since):
            let (changes, through, _) = try await changes(after: since, matching: filter, limit: limit)
            do throws(SnapshotReading.Failure) {
                try reading.changes(through: through.rev, run: through.run)
            } catch { throw ClientError(error) }
            return .changes(changes, through)
        case .complete(let position): return .complete(position)
        }
    }

    private func snapshotPage(
        after: [UInt8], matching filter: FeedFilter, limit: Int = 0
    ) async throws(ClientError) -> (WireReadySnapshotPage, Position?) {
        var request = WireRequest()
        request.snapshot = .with {
            $0.after = Data(after)
            $0.limit = UInt32(clamping: limit)
            if !filter.isEmpty { $0.filter = filter.wire }
        }
        let (standing, reply) = try await sendReady(request)
        guard case .snapshot(let page)? = reply.result else { throw .unreadableAnswer("snapshot") }
        return (page, standing?.position)
    }
}

extension ClientError {
    fileprivate init(_ failure: SnapshotReading.Failure) {
        self =
            switch failure {
            case .storageRestarted: .refused(.restartedWhileReading)
            case .stuck: .unreadableAnswer("a page of changes")
            }
    }

    /// Whether reading a snapshot has to begin again.
    package var endsSnapshot: Bool {
        guard case .refused(let refusal) = self else { return false }
        return [.compacted, .epochChanged].contains(refusal.code) || refusal == .restartedWhileReading
    }
}

extension ServiceError {
    fileprivate static let restartedWhileReading = ServiceError(
        .unavailable, "Storage was restarted while its landmarks were read: try again.")
}
