// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// The lists of a ``FilterIndex``, in which each filter is a number.
struct FilterLists {
    private struct Listed {
        /// A box around the filter's area; nil if the filter has none.
        let bounds: AreaBox?
        /// The number of the latest search that found the filter.
        var search: UInt64 = 0
    }

    private var filters: [Listed] = []
    /// The numbers of removed filters.
    private var free: [Int] = []
    private var ids: [Landmark.ID: [Int]] = [:]
    private var cells: [FilterCell: [Int]] = [:]
    private var sources: [String: [Int]] = [:]
    private var users: [String: [Int]] = [:]
    private var kinds: [String: [Int]] = [:]
    private var others: [Int] = []
    /// The number of listings in the cells of each level.
    private var listings = [Int](repeating: 0, count: FilterCell.lastLevel + 1)
    private var searches: UInt64 = 0

    var isEmpty: Bool {
        ids.isEmpty && cells.isEmpty && sources.isEmpty && users.isEmpty && kinds.isEmpty && others.isEmpty
            && listings.allSatisfy { $0 == 0 } && free.count == filters.count
    }

    /// - Returns: the filter's number, which is that of a removed filter or the next one.
    mutating func insert(_ filter: FeedFilter) -> Int {
        let (number, listed) = (free.popLast() ?? filters.count, Listed(bounds: filter.area?.bounds))
        if number == filters.count { filters.append(listed) } else { filters[number] = listed }
        edit(filter, listings: 1) { $0.append(number) }
        return number
    }

    mutating func remove(_ filter: FeedFilter, at number: Int) {
        free.append(number)
        edit(filter, listings: -1) { list in
            guard let place = list.lastIndex(of: number) else { return }
            // The order within a list has no meaning.
            list.swapAt(place, list.count - 1)
            list.removeLast()
        }
    }

    /// - Returns: the numbers of the filters that may match, each once.
    mutating func candidates(before: FilterSubject?, after: FilterSubject) -> [Int] {
        searches += 1
        var found = others
        look(in: ids, before, after, &found) { $0.id }
        look(in: sources, before, after, &found) { $0.source }
        look(in: users, before, after, &found) { $0.user }
        look(in: kinds, before, after, &found) { $0.kind }
        for level in listings.indices where listings[level] > 0 {
            look(in: cells, before, after, &found) { FilterCell($0.coordinate, level: level) }
        }
        return found
    }

    private mutating func look<Key>(
        in lists: [Key: [Int]], _ before: FilterSubject?, _ after: FilterSubject, _ found: inout [Int],
        by key: (FilterSubject) -> Key
    ) {
        guard !lists.isEmpty else { return }
        let now = key(after)
        let list = lists[now]
        if let list { visit(list, after.coordinate, &found) }
        guard let before else { return }
        let former = key(before)
        if let list = former == now ? list : lists[former] { visit(list, before.coordinate, &found) }
    }

    private mutating func visit(_ list: [Int], _ place: Coordinate, _ found: inout [Int]) {
        for number in list where filters[number].search != searches {
            if let bounds = filters[number].bounds, !bounds.contains(place) { continue }
            filters[number].search = searches
            found.append(number)
        }
    }

    /// Edits every list that contains the filter, or will contain it.
    ///
    /// - Parameter listings: added to the number of listings for each cell.
    private mutating func edit(_ filter: FeedFilter, listings more: Int, _ body: (inout [Int]) -> Void) {
        if !filter.ids.isEmpty { return Self.edit(&ids, filter.ids, body) }
        if let area = filter.area {
            let touched = FilterCell.cells(of: area.bounds)
            for cell in touched { listings[cell.level] += more }
            return Self.edit(&cells, touched, body)
        }
        if !filter.sources.isEmpty { return Self.edit(&sources, filter.sources, body) }
        if !filter.users.isEmpty { return Self.edit(&users, filter.users, body) }
        if !filter.kinds.isEmpty { return Self.edit(&kinds, filter.kinds, body) }
        body(&others)
    }

    private static func edit<Key>(
        _ lists: inout [Key: [Int]], _ keys: some Sequence<Key>, _ body: (inout [Int]) -> Void
    ) {
        for key in keys {
            body(&lists[key, default: []])
            if lists[key]?.isEmpty == true { lists[key] = nil }
        }
    }
}
