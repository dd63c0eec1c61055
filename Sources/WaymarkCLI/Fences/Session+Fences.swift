// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

extension Session {
    /// Returns the filter of a fence, narrowed by the command's own conditions. The name is looked up only here, at the
    /// beginning of a command: a fence that is replaced later changes nothing for it.
    ///
    /// - Parameters:
    ///   - fence: the fence's name; nil for the own conditions alone.
    ///   - own: the conditions of the command's options, without an area if there is a fence.
    func filter(_ fence: String?, narrowedBy own: FeedFilter) async throws -> FeedFilter {
        guard let fence else { return own }
        var filter = try await client.fence(named: fence).filter
        let parts: [(option: String, part: WritableKeyPath<FeedFilter, Set<String>>)] = [
            ("--kind", \.kinds), ("--user", \.users), ("--source", \.sources),
        ]
        for (option, part) in parts where !own[keyPath: part].isEmpty {
            guard filter[keyPath: part].isEmpty else {
                throw Failure.usage("The fence \(fence) has its own \(option): leave \(option) out.")
            }
            filter[keyPath: part] = own[keyPath: part]
        }
        return filter
    }

    func filter(_ fence: String?, narrowedBy own: LandmarkFilter) async throws -> LandmarkFilter {
        guard let fence else { return own }
        guard let filter = LandmarkFilter(try await filter(fence, narrowedBy: own.feed)) else {
            throw Failure.usage(LandmarkFilter.tooMany(of: fence))
        }
        return filter
    }
}

extension LandmarkFilter {
    /// The same conditions for a feed.
    var feed: FeedFilter {
        FeedFilter(
            area: area, kinds: kinds, users: Set([user].compactMap(\.self)), sources: Set([source].compactMap(\.self)))
    }

    /// Nil if the filter has more users, sources or kinds than a question about landmarks takes.
    init?(_ filter: FeedFilter) {
        guard filter.users.count < 2, filter.sources.count < 2, filter.kinds.count <= Self.mostKinds else { return nil }
        self.init(
            kinds: Array(filter.kinds), user: filter.users.first, source: filter.sources.first, area: filter.area)
    }

    static func tooMany(of fence: String) -> String {
        "The fence \(fence) has several users or sources, or more than \(mostKinds) kinds: see who is inside with "
            + "\"waymark tail --fence \(fence) --snapshot --no-follow\"."
    }
}

/// Reads all pages of a list.
///
/// - Parameter page: reads the page after a row; nil for the first page.
func allPages<Row>(
    _ page: (_ last: Row?) async throws -> (rows: [Row], hasMore: Bool)
) async throws -> [Row] {
    var rows: [Row] = []
    while true {
        let next = try await page(rows.last)
        rows += next.rows
        guard next.hasMore, !next.rows.isEmpty else { return rows }
    }
}
