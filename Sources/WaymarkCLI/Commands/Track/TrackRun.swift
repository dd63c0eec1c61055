// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkJSON
import WaymarkProtocol

/// One run of `track`: moves a landmark to each position, once and in order.
struct TrackRun: Sendable {
    let session: Session
    let name: String
    /// The kind that the landmark gets if it has to be added.
    let kind: String
    let isQuiet: Bool

    func follow(_ fixes: FixQueue) async throws {
        var id: Landmark.ID?
        var count: UInt64 = 0
        try await fixes.forEach { fix in
            let target: Landmark.ID
            if let id {
                target = id
            } else {
                target = try await landmark(at: fix.place)
                id = target
                session.output.notice(
                    "tracking", "Moving \(Escaping.visible(name)): \"waymark track show \(target)\" prints its track."
                ) { $0.field("id", target) }
            }
            try await move(target, fix)
            count += 1
        }
        session.output.notice("ended", "\(Figures.count(count, "position", "positions")), then stdin ended.") {
            $0.field("positions", count)
        }
    }

    /// Returns the user's landmark of this name. Adds it if there is none.
    private func landmark(at place: Coordinate) async throws -> Landmark.ID {
        let draft = try LandmarkDraft(name: name, coordinate: place, attributes: Attributes(kind: kind))
        return try await persistently { _ in
            // An earlier attempt may have added the landmark; then this search finds it.
            if let own = try await session.search(named: name, by: session.user).only { return own.id }
            return try await session.client.add(draft).id
        }
    }

    private func move(_ id: Landmark.ID, _ fix: Fix) async throws {
        let written: Written? = try await persistently { isInDoubt in
            if isInDoubt, let at = fix.at {
                let page = try await session.client.tracks.page(of: id, since: at, limit: WaymarkProtocol.bulkRows)
                if page.points.contains(where: { $0.at == at && $0.coordinate == fix.place }) { return nil }
            }
            return try await session.client.move(id, to: fix.place, at: fix.at)
        }
        guard !isQuiet, let written else { return }
        let time = fix.at.map { Timestamp.local($0) + "  " } ?? ""
        try session.printWritten(written, "\(time)\(Figures.position(fix.place))  revision \(written.rev)")
    }

    private func persistently<Value>(_ body: (Bool) async throws -> Value) async throws -> Value {
        try await session.persistently(
            "Positions wait until the service answers.", tell: { session.output.notice($0, $1) }, body)
    }
}
