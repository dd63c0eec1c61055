// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Failpoints
import Landmarks

/// When whoever fills a feed's queue is held, and when it may go on.
package struct FeedBounds: Sendable, Hashable {
    /// Held from so many items on.
    var most = 4_096
    /// Going on below so many.
    var few = 1_024
    /// Held from so many bytes on, going on below half of them.
    var bytes = 16 * 1024 * 1024

    init() {}

    package init(most: Int, few: Int, bytes: Int) {
        (self.most, self.few, self.bytes) = (most, few, bytes)
    }
}

/// What a feed has brought and nobody has taken yet, in order. Pure.
///
/// It is the one owner of the items and of the sum of what they take. Each item keeps the weight with which it came in,
/// and every way in or out goes through a method here, so the sum is always that of the items that are there: an empty
/// queue takes nothing.
struct FeedQueue {
    typealias Item = Result<FeedItem, ClientError>

    private let bounds: FeedBounds
    private var items: Deque<(item: Item, bytes: Int)> = []
    /// About what the items take.
    private(set) var bytes = 0
    /// Whoever fills the queue has been told to hold, and not yet to go on.
    private(set) var isHolding = false

    init(_ bounds: FeedBounds = FeedBounds()) {
        self.bounds = bounds
    }

    var count: Int { items.count }

    /// - Returns: whether whoever fills the queue has to hold from now on. What it has begun to put it still may.
    mutating func put(_ item: Item) -> Bool {
        // Of two marks in a row only the later one says anything.
        if item.isMark, let last = items.last, last.item.isMark { dropLast() }
        append(item)
        if Mutation.isOn(.unordered), items.count > 1 { items.swapAt(items.count - 1, items.count - 2) }
        if Mutation.isOn(.twice), items.count % 50 == 1 { append(item) }
        guard !isHolding, items.count >= bounds.most || bytes >= bounds.bytes else { return false }
        isHolding = true
        return true
    }

    /// The oldest item, and whether whoever fills the queue may go on from now on. Nil: there is none.
    mutating func take() -> (item: Item, mayGoOn: Bool)? {
        guard let (item, weight) = items.popFirst() else { return nil }
        bytes -= weight
        guard isHolding, items.count < bounds.few, bytes < bounds.bytes / 2 else { return (item, false) }
        isHolding = false
        return (item, true)
    }

    mutating func removeAll() {
        items.removeAll()
        bytes = 0
    }

    private mutating func append(_ item: Item) {
        let weight = item.weight
        items.append((item, weight))
        bytes += weight
    }

    private mutating func dropLast() {
        guard let (_, weight) = items.popLast() else { return }
        bytes -= weight
    }
}

extension Result<FeedItem, ClientError> {
    fileprivate var isMark: Bool { if case .success(.reached) = self { true } else { false } }

    /// About what it takes: its texts, and something for the rest.
    fileprivate var weight: Int {
        guard case .success(.change(let told)) = self else { return 100 }
        return told.change.landmark.weight + (told.change.before?.weight ?? 0)
    }
}

extension Landmark {
    fileprivate var weight: Int {
        notes.reduce(500 + name.utf8.count + link.utf8.count) { $0 + 200 + $1.text.utf8.count }
    }
}
