// SPDX-License-Identifier: Apache-2.0

import Geodesy
import WaymarkClient
import WaymarkJSON

/// The nearest landmarks at one revision of the history.
struct WatchList: Sendable {
    var here: Coordinate
    var hits: [Hit]
    var position: Position

    /// Decides whether these changes may alter the list.
    ///
    /// Each change is compared with the present list. After the first change that may alter the list, the later changes
    /// cannot be judged, because the list that they apply to is unknown.
    ///
    /// - Returns: the position that a new list must reflect; nil if the list stays the same.
    mutating func judge(_ news: WatchState.News, _ query: WatchQuery) -> Position? {
        switch news {
        case .many(let last): return last.rev > position.rev ? last : nil
        case .few(let changes):
            for change in changes where change.position.rev > position.rev {
                if isConcerned(by: change, query) { return changes.last?.position }
                position = change.position
            }
            return nil
        }
    }

    private func isConcerned(by change: WatchedChange, _ query: WatchQuery) -> Bool {
        if hits.contains(where: { $0.landmark.id == change.id }) { return true }
        let last = hits.count < query.limit ? query.radius ?? .infinity : hits.last?.distance ?? .infinity
        // The small margin covers a landmark at the same distance as the last one in the list: it comes before the last
        // one if its id is lower.
        return change.places.contains { Geodesic.distance(from: here, to: $0) <= last + 0.01 }
    }

    /// Returns the events that turn `old` into this list.
    func events(since old: [Hit]) -> [WatchEvent] {
        let before = Dictionary(old.enumerated().map { ($1.landmark.id, ($0 + 1, $1)) }, uniquingKeysWith: { $1 })
        let kept = Set(hits.map(\.landmark.id))
        var events = old.enumerated().filter { !kept.contains($1.landmark.id) }
            .map { WatchEvent.left($1.landmark.id, rank: $0 + 1) }
        for (index, hit) in hits.enumerated() {
            guard let (rank, was) = before[hit.landmark.id] else {
                events.append(.entered(hit, rank: index + 1))
                continue
            }
            if rank != index + 1 || was.distance != hit.distance {
                events.append(.moved(hit, from: rank, to: index + 1))
            }
            if was.landmark != hit.landmark { events.append(.changed(hit, rank: index + 1)) }
        }
        return events
    }
}

/// One difference between two lists. Ranks begin with 1.
enum WatchEvent: Hashable, Sendable {
    case left(Landmark.ID, rank: Int)
    case entered(Hit, rank: Int)
    /// The rank or the distance of the landmark changed.
    case moved(Hit, from: Int, to: Int)
    /// Fields or notes of the landmark changed.
    case changed(Hit, rank: Int)
}

extension JSONWriter {
    mutating func fields(_ event: WatchEvent, asOf position: Position) {
        func begin(_ type: String, _ id: Landmark.ID, rank: Int? = nil) {
            field("type", type)
            field("rev", position.rev)
            field("id", id)
            if let rank { field("rank", UInt64(rank)) }
        }
        func measured(_ hit: Hit) {
            field("distance_m", hit.distance)
            field("bearing_deg", hit.bearing)
        }
        switch event {
        case .left(let id, let rank): begin("left", id, rank: rank)
        case .entered(let hit, let rank):
            begin("entered", hit.landmark.id, rank: rank)
            measured(hit)
            object("landmark", hit.landmark)
        case .moved(let hit, let from, let to):
            begin("moved", hit.landmark.id)
            field("from", UInt64(from))
            field("to", UInt64(to))
            measured(hit)
        case .changed(let hit, let rank):
            begin("changed", hit.landmark.id, rank: rank)
            object("landmark", hit.landmark)
        }
    }
}
