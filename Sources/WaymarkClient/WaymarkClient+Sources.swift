// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// What became of the landmarks of a source that was removed.
public struct RemovedSource: Sendable, Hashable {
    public var removed: UInt64 = 0
    /// Those that people have written on. While there are any, the source stays known.
    public var kept: UInt64 = 0

    public init(removed: UInt64 = 0, kept: UInt64 = 0) {
        (self.removed, self.kept) = (removed, kept)
    }
}

extension WaymarkClient {
    /// Removes the landmarks that came from a source, and what is known of it: its rows, and how its fetches went. Any
    /// number of requests; what they have done before one of them fails stays done, and doing it again finishes it.
    ///
    /// A source that is configured at a query service comes back with its next fetch.
    ///
    /// - Parameters:
    ///   - withNotes: also the landmarks that people have written on, with their notes.
    ///   - progress: told after each request that removed some, how many there are so far.
    public func removeSource(
        _ name: String, withNotes: Bool = false, progress: @Sendable (RemovedSource) -> Void = { _ in }
    ) async throws(ClientError) -> RemovedSource {
        var done = RemovedSource()
        if withNotes {
            // By people's own command, which a source's cannot do. Read anew each time: those before are gone.
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
                        // Somebody was faster.
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
            ).1.ingest.counts
            done.removed += counts.removed
            done.kept += counts.kept
            progress(done)
            guard page.more else { break }
            after = last
        }
        // With neither rows nor keys: it is forgotten, if it has no rows any more.
        _ = try await send(.with { $0.ingest.source = name })
        return done
    }
}
