// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
internal import FoundationEssentials
import WaymarkProtocol

/// Reads all matching landmarks, one request at a time. The caller keeps what it needs from each step.
///
/// ``SnapshotReading`` decides which requests are necessary.
package struct SnapshotSteps: Sendable {
    package enum Step: Sendable {
        /// The landmarks of a page, at about this position. The changes of later steps make them exact.
        case landmarks([EncodedLandmark], Position)
        /// The changes since the reading began. They follow after all pages.
        case changes([FeedChange], Position)
        case complete(Position)
    }

    private let client: WaymarkClient
    private let filter: FeedFilter
    /// The state of the reading; nil before the first request.
    private var reading: SnapshotReading?

    package init(_ client: WaymarkClient, matching filter: FeedFilter) {
        (self.client, self.filter) = (client, filter.ofAllOperations)
    }

    /// Makes the next request.
    ///
    /// - Parameter limit: the maximum number of rows; if 0, the service decides.
    /// - Throws: an error. If ``ClientError/endsSnapshot`` is true for it, the next call begins the reading again;
    ///   otherwise the next call repeats the same step.
    package mutating func next(limit: Int = 0) async throws(ClientError) -> Step {
        var reading = try await begun()
        do throws(ClientError) {
            let step = try await request(&reading, limit)
            self.reading = reading
            return step
        } catch {
            self.reading = error.endsSnapshot ? nil : reading
            throw error
        }
    }

    private func begun() async throws(ClientError) -> SnapshotReading {
        if let reading { return reading }
        return SnapshotReading(from: try await client.hello().position)
    }

    private func request(_ reading: inout SnapshotReading, _ limit: Int) async throws(ClientError) -> Step {
        switch reading.step {
        case .page(let after):
            let snapshot = WireSnapshot.with {
                ($0.after, $0.limit) = (Data(after), UInt32(clamping: limit))
                if !filter.isEmpty { $0.filter = filter.wire }
            }
            let (page, freshness) = try await client.answer(
                to: .with { $0.snapshot = snapshot }, \WireRawReply.snapshot)
            do throws(SnapshotReading.Failure) {
                try reading.page(next: [UInt8](page.next), head: page.head, position: freshness?.position)
            } catch { throw ClientError(error) }
            return .landmarks(
                page.landmarks.map { EncodedLandmark(bytes: $0) }, freshness?.position ?? reading.position)
        case .changes(let since):
            let (changes, through, _) = try await client.changes(after: since, matching: filter, limit: limit)
            do throws(SnapshotReading.Failure) {
                try reading.changes(through: through.rev, run: through.run)
            } catch { throw ClientError(error) }
            return .changes(changes, through)
        case .complete(let position): return .complete(position)
        }
    }

    /// Returns the matching landmarks, ordered by id, and the position at which all of them have exactly this state.
    ///
    /// If the log was compacted meanwhile, or storage was restarted, the reading begins again.
    static func all(
        _ client: WaymarkClient, matching filter: FeedFilter
    ) async throws(ClientError) -> ([EncodedLandmark], Position) {
        var steps = SnapshotSteps(client, matching: filter)
        var pauses = SnapshotPauses()
        var rows: [Landmark.ID: EncodedLandmark] = [:]
        while true {
            do throws(ClientError) {
                switch try await steps.next() {
                case .landmarks(let landmarks, _):
                    for landmark in landmarks {
                        let id = try landmark.id()
                        rows[id] = landmark
                    }
                case .changes(let changes, _):
                    for told in changes {
                        let landmark = told.change.landmark
                        rows[landmark.id] = told.operation.endsMatch ? nil : EncodedLandmark(landmark)
                    }
                case .complete(let position): return (rows.sorted { $0.key < $1.key }.map(\.value), position)
                }
            } catch {
                guard error.endsSnapshot, pauses.count < 6, !Task.isCancelled else { throw error }
                rows = [:]
                // The query service may need a moment to notice the new history.
                try? await Task.sleep(for: pauses.next())
            }
        }
    }
}

extension FeedFilter {
    fileprivate var ofAllOperations: FeedFilter {
        var filter = self
        filter.operations = []
        return filter
    }
}

extension FeedOperation {
    /// Whether the landmark no longer matches the filter.
    package var endsMatch: Bool { self == .removed || self == .left }
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
        .unavailable, "Storage was restarted while the landmarks were read: try again.")
}
