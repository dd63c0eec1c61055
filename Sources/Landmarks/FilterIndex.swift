// SPDX-License-Identifier: Apache-2.0

/// An entry of a ``FilterIndex``. Its filter must not change.
public protocol IndexedFilter: AnyObject {
    var filter: FeedFilter { get }
    /// The entry's place in its index; 0 at first. Only the index uses it.
    var place: Int { get set }
}

/// Filters, indexed so that the candidates for a change are found quickly. Does no I/O.
///
/// A filter is listed under each value of its most selective condition, and a change is looked up by the values of its
/// landmark before and after. An area is listed in the cells of the level that fits its size, and is a candidate only
/// within its bounds. So the cost of a change depends on the number of filters near its landmark, not on the number of
/// all filters. Only a filter without conditions for landmarks is a candidate for every change.
public struct FilterIndex<Entry: IndexedFilter> {
    // No generic type, so that the compiler makes special code for it, which is several times as fast.
    private var lists = FilterLists()
    private var entries: [Entry?] = []

    public init() {}

    /// Whether the index has no entries, and no lists are left of removed entries.
    public var isEmpty: Bool { lists.isEmpty && entries.allSatisfy { $0 == nil } }

    public mutating func insert(_ entry: Entry) {
        entry.place = lists.insert(entry.filter)
        if entry.place == entries.count { entries.append(entry) } else { entries[entry.place] = entry }
    }

    /// - Precondition: the entry was inserted.
    public mutating func remove(_ entry: Entry) {
        lists.remove(entry.filter, at: entry.place)
        entries[entry.place] = nil
    }

    /// Calls `body` once for each entry whose filter may match the landmark before or after a change.
    public mutating func candidates(before: FilterSubject?, after: FilterSubject, _ body: (Entry) -> Void) {
        for place in lists.candidates(before: before, after: after) {
            if let entry = entries[place] { body(entry) }
        }
    }
}
