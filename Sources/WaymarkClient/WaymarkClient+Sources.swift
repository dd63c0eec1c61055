// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// The outcome of removing a source, in landmarks.
public struct RemovedSource: Sendable, Hashable {
    public var removed: UInt64 = 0
    /// Landmarks with people's notes, which were kept. As long as there are any, the source stays known.
    public var kept: UInt64 = 0

    public init(removed: UInt64 = 0, kept: UInt64 = 0) {
        (self.removed, self.kept) = (removed, kept)
    }
}

extension WaymarkClient {
    /// Removes the landmarks of a source, and its state: the table of its rows and the log of its fetches. This takes
    /// several requests. If one fails, the removals before it stay, and a second call finishes the rest.
    ///
    /// A source that is configured at a query service comes back with its next fetch.
    ///
    /// - Parameters:
    ///   - withNotes: whether landmarks with people's notes are removed as well, together with the notes.
    ///   - progress: called with the counts so far, after each request that removed some.
    public func removeSource(
        _ name: String, withNotes: Bool = false, progress: @Sendable (RemovedSource) -> Void = { _ in }
    ) async throws(ClientError) -> RemovedSource {
        var done = RemovedSource()
        if withNotes {
            // With the command that people use, as a source cannot remove notes. Each round reads what is left.
            while true {
                let (landmarks, _) = try await snapshot(matching: FeedFilter(sources: [name]))
                let noted = try landmarks.map { record throws(ClientError) in try record.landmark() }
                    .filter { !$0.notes.isEmpty }
                guard !noted.isEmpty else { break }
                for landmark in noted {
                    do throws(ClientError) {
                        _ = try await remove(landmark.id)
                        done.removed += 1
                    } catch {
                        // Another client has removed it already.
                        guard case .refused(let refusal) = error, refusal.code == .notFound else { throw error }
                    }
                }
                progress(done)
            }
        }
        var after = ""
        while true {
            let cursor = after
            let page = try await send(
                .with {
                    $0.sourceKeys.source = name
                    $0.sourceKeys.after = cursor
                    $0.sourceKeys.limit = UInt32(WaymarkProtocol.ingestRows)
                }
            ).1.sourceKeys
            guard let last = page.keys.last else { break }
            let counts = try await send(
                .with {
                    $0.ingest.source = name
                    $0.ingest.vanished = page.keys
                }
            ).1.ingest.counts.bounded
            done.removed += counts.removed
            done.kept += counts.kept
            progress(done)
            guard page.more else { break }
            after = last
        }
        // An ingest without rows and keys: storage forgets the source if it has no rows any more.
        _ = try await send(.with { $0.ingest.source = name })
        return done
    }
}
