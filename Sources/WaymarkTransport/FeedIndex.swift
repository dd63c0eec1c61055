// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import Geodesy
import Landmarks

/// The feeds that have subscribers, indexed so that the candidates for a change are found quickly.
///
/// A feed of an area is listed in each cell of one degree by one degree that the area touches, and a feed of certain
/// ids under each id. All other feeds, and feeds of very large areas, are candidates for every change. So the cost of a
/// change depends on the number of feeds near its landmark, not on the number of all feeds.
struct FeedIndex {
    /// A topic with subscribers, and the number of the last message on it.
    final class Feed {
        let topic: FeedTopic
        var n: UInt64
        /// The changes that have not been sent yet.
        var batch = FeedBatchWriter()
        /// The last revision for which the feed was visited, because one change may find the feed in two cells.
        var tried: UInt64 = 0
        /// The first subscriber, to whose share of topics the feed counts; nil if the feed counts to no share.
        let owner: FeedOwner?

        init(_ topic: FeedTopic, n: UInt64, owner: FeedOwner? = nil) {
            (self.topic, self.n, self.owner) = (topic, n, owner)
        }
    }

    /// The maximum number of cells in which a feed is listed. A feed of a larger area (above some 800 km across) is a
    /// candidate for every change, because listing the feed in its cells would cost more than it saves.
    private static let mostCells = 64

    private(set) var feeds: [FeedTopic: Feed] = [:]
    private var byCell: [UInt32: [Feed]] = [:]
    private var byID: [Landmark.ID: [Feed]] = [:]
    private var others: [Feed] = []

    subscript(topic: FeedTopic) -> Feed? { feeds[topic] }
    var count: Int { feeds.count }
    /// Whether the index has no feeds, and no lists are left of removed feeds.
    var isEmpty: Bool { feeds.isEmpty && byCell.isEmpty && byID.isEmpty && others.isEmpty }

    mutating func insert(_ feed: Feed) {
        feeds[feed.topic] = feed
        place(feed) { $0.append(feed) }
    }

    mutating func remove(_ topic: FeedTopic) {
        guard let feed = feeds.removeValue(forKey: topic) else { return }
        place(feed) { list in list.removeAll { $0 === feed } }
        for id in topic.filter.ids where byID[id]?.isEmpty == true { byID[id] = nil }
        if let area = topic.filter.area {
            for cell in Self.cells(area.bounds) ?? [] where byCell[cell]?.isEmpty == true { byCell[cell] = nil }
        }
    }

    /// Calls `body` once for each feed that may contain a change.
    func candidates(_ rev: UInt64, _ change: EncodedChange.Subjects, _ body: (Feed) -> Void) {
        func visit(_ list: [Feed]?) {
            for feed in list ?? [] where feed.tried != rev {
                feed.tried = rev
                body(feed)
            }
        }
        visit(others)
        if !byID.isEmpty { visit(byID[change.after.id]) }
        guard !byCell.isEmpty else { return }
        let cell = Self.cell(change.after.coordinate)
        visit(byCell[cell])
        if let before = change.before, before.coordinate != change.after.coordinate {
            visit(byCell[Self.cell(before.coordinate)])
        }
    }

    private mutating func place(_ feed: Feed, _ change: (inout [Feed]) -> Void) {
        let filter = feed.topic.filter
        if !filter.ids.isEmpty {
            for id in filter.ids { change(&byID[id, default: []]) }
        } else if let area = filter.area, let cells = Self.cells(area.bounds) {
            for cell in cells { change(&byCell[cell, default: []]) }
        } else {
            change(&others)
        }
    }

    /// Returns the cells that a box touches; nil if there are more than `mostCells`.
    static func cells(_ box: AreaBox) -> [UInt32]? {
        let rows = row(box.south)...row(box.north)
        let first = column(box.west)
        // The 180th meridian is both +180 and -180, so a box that ends on it contains both longitudes.
        let reach = box.west <= box.east ? box.east - box.west : box.east + 360 - box.west
        let width = min(360, Int(reach.rounded(.up)) + 2)
        guard rows.count * width <= mostCells else { return nil }
        return rows.flatMap { row in (-1..<width).map { UInt32(row * 360 + (first + $0 + 360) % 360) } }
            .reduce(into: Set()) { $0.insert($1) }.map(\.self)
    }

    static func cell(_ coordinate: Coordinate) -> UInt32 {
        UInt32(row(coordinate.latitude) * 360 + column(coordinate.longitude))
    }

    private static func row(_ latitude: Double) -> Int { min(179, Int((latitude + 90).rounded(.down))) }
    private static func column(_ longitude: Double) -> Int { Int((longitude + 180).rounded(.down)) % 360 }
}
