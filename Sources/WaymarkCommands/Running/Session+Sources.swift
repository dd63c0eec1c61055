// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkClient
import WaymarkProtocol

extension Session {
    /// Requests under way at once: enough that storage flushes many together, and far fewer than it takes.
    private static let window = 64

    /// Removes all landmarks of a source that there are now, after asking.
    func remove(source: String, _ confirmation: ConfirmationOptions) async throws {
        let ids = try await ids(of: source)
        guard !ids.isEmpty else {
            throw Failure(.failed, ErrorCode.notFound.name, "There is no landmark of the source \(source).")
        }
        let count = Figures.count(UInt64(ids.count), "landmark", "landmarks")
        try confirmation.confirm(
            "This removes \(count) of the source \(source), with their notes, for good. Is it meant?")
        let bar = ProgressBar(output, Surroundings.current)
        defer { bar.clear() }
        var (removed, last): (UInt64, UInt64) = (0, 0)
        do {
            try await withThrowingTaskGroup(of: Written?.self) { group in
                for (place, id) in ids.enumerated() {
                    if place >= Self.window, let written = try await group.next() ?? nil {
                        (removed, last) = (removed + 1, max(last, written.rev))
                        bar.show(.sending(place, of: ids.count))
                    }
                    group.addTask { try await removeIfThere(id) }
                }
                for try await case let written? in group { (removed, last) = (removed + 1, max(last, written.rev)) }
            }
        } catch {
            output.notice("removed", "Removed before that: \(Figures.count(removed, "landmark", "landmarks")).") {
                $0.field("removed", removed)
            }
            throw error
        }
        bar.clear()
        switch output.format {
        case .json:
            try output.object {
                $0.field("source", source)
                $0.field("removed", removed)
                $0.field("rev", last == 0 ? nil : last)
            }
        case .text:
            try output.line(
                "removed \(Figures.count(removed, "landmark", "landmarks")) of \(Escaping.visible(source)), through "
                    + "revision \(last)")
        }
    }

    private func ids(of source: String) async throws(ClientError) -> [Landmark.ID] {
        var ids: [Landmark.ID] = []
        var cursor = nil as HitPage?
        repeat {
            let page = try await client.list(
                .byName, limit: WaymarkProtocol.pageRows, filter: LandmarkFilter(source: source), after: cursor?.cursor)
            ids += page.hits.map(\.landmark.id)
            cursor = page
        } while cursor?.cursor != nil
        return ids
    }

    /// Nil where somebody was faster.
    private func removeIfThere(_ id: Landmark.ID) async throws -> Written? {
        do throws(ClientError) {
            return try await client.remove(id)
        } catch {
            guard case .refused(let refusal) = error, refusal.code == .notFound else { throw error }
            return nil
        }
    }
}
