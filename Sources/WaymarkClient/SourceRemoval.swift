// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The result of removing a source, as numbers of landmarks.
public struct RemovedSource: Sendable, Hashable {
    public var removed: UInt64 = 0
    /// The number of landmarks that were kept because they have people's notes. While there are any, the source stays
    /// known.
    public var kept: UInt64 = 0

    package init() {}

    /// Removes a landmark, and counts it unless it was already removed.
    package mutating func remove(_ id: Landmark.ID, by client: WaymarkClient) async throws(ClientError) {
        do throws(ClientError) {
            _ = try await client.remove(id)
            removed += 1
        } catch {
            guard case .refused(let refusal) = error, refusal.code == .notFound else { throw error }
        }
    }

    /// Removes the landmarks of a kind, page by page, except those with people's notes, and counts both. The pages come
    /// from storage, because a query service may not have all landmarks yet.
    package mutating func removeAll(ofKind kind: String, by client: WaymarkClient) async throws {
        var request = WireRequest()
        request.snapshot.filter.kinds = [kind]
        // The removals of a page are requested together. Storage commits them together, which saves disk flushes.
        request.snapshot.limit = 64
        while true {
            let page = try await client.answer(to: request, \WireReply.snapshot).part
            let plain = page.landmarks.filter(\.notes.isEmpty)
            let ids = plain.compactMap { Landmark.ID(bytes: $0.id) }
            guard ids.count == plain.count else { throw ClientError.unreadableAnswer("landmark's id") }
            let count: UInt64 = try await withThrowingTaskGroup(of: UInt64.self) { group in
                for id in ids {
                    group.addTask {
                        var one = RemovedSource()
                        try await one.remove(id, by: client)
                        return one.removed
                    }
                }
                return try await group.reduce(0, +)
            }
            (removed, kept) = (removed + count, kept + UInt64(page.landmarks.count - plain.count))
            guard !page.next.isEmpty, page.next != request.snapshot.after else { return }
            request.snapshot.after = page.next
        }
    }

    /// Removes a source by a series of requests, and counts its landmarks.
    ///
    /// - Parameter progress: called with the counts so far, after each request that removed landmarks.
    init(
        removing source: String, withNotes: Bool, by client: WaymarkClient, progress: (RemovedSource) -> Void
    ) async throws(ClientError) {
        if withNotes {
            // Use the command for people, because a source cannot remove notes. Each round reads the remaining
            // landmarks.
            while true {
                let (landmarks, _) = try await SnapshotSteps.all(client, matching: FeedFilter(sources: [source]))
                let noted = try landmarks.map { record throws(ClientError) in try record.landmark() }
                    .filter { !$0.notes.isEmpty }
                guard !noted.isEmpty else { break }
                for landmark in noted { try await remove(landmark.id, by: client) }
                progress(self)
            }
        }
        var after = ""
        while true {
            let keys = WireSourceKeys.with {
                ($0.source, $0.after, $0.limit) = (source, after, UInt32(WaymarkProtocol.ingestRows))
            }
            let page = try await client.answer(to: .with { $0.sourceKeys = keys }, \WireReply.sourceKeys).part
            guard let last = page.keys.last else { break }
            let vanished = WireRequest.with { ($0.ingest.source, $0.ingest.vanished) = (source, page.keys) }
            let counts = try await client.answer(to: vanished, \WireReply.ingest).part.counts.bounded
            removed += counts.removed
            kept += counts.kept
            progress(self)
            guard page.more else { break }
            after = last
        }
        // Send an ingest request without rows and keys, after which storage forgets a source that has no rows any more.
        _ = try await client.answer(to: .with { $0.ingest.source = source }, \WireReply.ingest)
    }
}
