// SPDX-License-Identifier: Apache-2.0

/// An entry of a ``FilterIndex``. Its filter must not change.
public protocol IndexedFilter: AnyObject {
    var filter: FeedFilter { get }
    /// The number of the index's latest search that found the entry; 0 at first. Only the index uses it.
    var search: UInt64 { get set }
}

/// Filters, indexed so that the candidates for a change are found quickly. Does no I/O.
///
/// A filter is listed under each value of its most selective condition, and a change is looked up by the values of its
/// landmark before and after. An area is listed in the cells of the level that fits its size. So the cost of a change
/// depends on the number of filters near its landmark, not on the number of all filters. Only a filter without
/// conditions for landmarks is a candidate for every change.
public struct FilterIndex<Entry: IndexedFilter> {
    private enum Key: Hashable {
        case id(Landmark.ID)
        case cell(FilterCell)
        case source(String)
        case user(String)
        case kind(String)
    }

    private var lists: [Key: [Entry]] = [:]
    private var others: [Entry] = []
    /// The number of listings in the cells of each level.
    private var listings = [Int](repeating: 0, count: FilterCell.lastLevel + 1)
    private var searches: UInt64 = 0

    public init() {}

    /// Whether the index has no entries, and no lists are left of removed entries.
    public var isEmpty: Bool { lists.isEmpty && others.isEmpty && listings.allSatisfy { $0 == 0 } }

    public mutating func insert(_ entry: Entry) {
        guard let keys = Self.keys(entry.filter) else { return others.append(entry) }
        for key in keys {
            lists[key, default: []].append(entry)
            if case .cell(let cell) = key { listings[cell.level] += 1 }
        }
    }

    /// - Precondition: the entry was inserted.
    public mutating func remove(_ entry: Entry) {
        guard let keys = Self.keys(entry.filter) else { return others.removeAll { $0 === entry } }
        for key in keys {
            lists[key]?.removeAll { $0 === entry }
            if lists[key]?.isEmpty == true { lists[key] = nil }
            if case .cell(let cell) = key { listings[cell.level] -= 1 }
        }
    }

    /// Calls `body` once for each entry whose filter may match the landmark before or after a change.
    public mutating func candidates(before: FilterSubject?, after: FilterSubject, _ body: (Entry) -> Void) {
        searches += 1
        visit(others, body)
        guard !lists.isEmpty else { return }
        look(up: after, body)
        if let before, before != after { look(up: before, body) }
    }

    private func look(up subject: FilterSubject, _ body: (Entry) -> Void) {
        visit(lists[.id(subject.id)], body)
        visit(lists[.source(subject.source)], body)
        visit(lists[.user(subject.user)], body)
        visit(lists[.kind(subject.kind)], body)
        for level in listings.indices where listings[level] > 0 {
            visit(lists[.cell(FilterCell(subject.coordinate, level: level))], body)
        }
    }

    private func visit(_ list: [Entry]?, _ body: (Entry) -> Void) {
        for entry in list ?? [] where entry.search != searches {
            entry.search = searches
            body(entry)
        }
    }

    /// - Returns: nil if the filter has no condition by which it can be listed.
    private static func keys(_ filter: FeedFilter) -> [Key]? {
        if !filter.ids.isEmpty { return filter.ids.map { .id($0) } }
        if let area = filter.area { return FilterCell.cells(of: area.bounds).map { .cell($0) } }
        if !filter.sources.isEmpty { return filter.sources.map { .source($0) } }
        if !filter.users.isEmpty { return filter.users.map { .user($0) } }
        return filter.kinds.isEmpty ? nil : filter.kinds.map { .kind($0) }
    }
}
