// SPDX-License-Identifier: Apache-2.0

import DequeModule

/// The limits at which the producer of a feed's queue has to pause and may resume.
package struct FeedBounds: Sendable, Hashable {
    /// The number of items at which the producer has to pause.
    let most: Int
    /// The number of items below which the producer may resume.
    let few: Int
    /// The number of bytes at which the producer has to pause. It may resume below half of that.
    let bytes: Int

    package init(most: Int = 4_096, few: Int = 1_024, bytes: Int = 16 * 1024 * 1024) {
        (self.most, self.few, self.bytes) = (most, few, bytes)
    }
}

/// The items of a feed that are waiting for the reader, in order. Pure.
///
/// The queue is the only owner of the items and of their total weight in bytes. Each item keeps its original weight,
/// and items enter and leave through the methods here only, so the total always matches: an empty queue weighs nothing.
struct FeedQueue {
    typealias Item = Result<FeedItem, ClientError>

    private let bounds: FeedBounds
    private var items: Deque<(item: Item, bytes: Int)> = []
    /// The approximate memory of the items, in bytes.
    private(set) var bytes = 0
    /// Whether the producer was told to pause and not yet to resume.
    private(set) var isHolding = false

    init(_ bounds: FeedBounds = FeedBounds()) {
        self.bounds = bounds
    }

    var count: Int { items.count }

    /// - Returns: whether the producer has to pause from now on. Items that it has already begun to add are still
    ///   accepted.
    mutating func put(_ item: Item) -> Bool {
        // Replace the mark before: the later of two marks in a row includes the earlier.
        if item.isMark, let last = items.last, last.item.isMark {
            items.removeLast()
            bytes -= last.bytes
        }
        let weight = item.weight
        items.append((item, weight))
        bytes += weight
        guard !isHolding, items.count >= bounds.most || bytes >= bounds.bytes else { return false }
        isHolding = true
        return true
    }

    /// The oldest item, and whether the producer may resume; nil when the queue is empty.
    mutating func take() -> (item: Item, mayResume: Bool)? {
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
}

extension Result<FeedItem, ClientError> {
    fileprivate var isMark: Bool { if case .success(.reached) = self { true } else { false } }

    /// The approximate memory of the item in bytes: its texts, and an allowance for the rest.
    fileprivate var weight: Int {
        guard case .success(.change(let item)) = self else { return 100 }
        return item.change.landmark.weight + (item.change.before?.weight ?? 0)
    }
}

extension Landmark {
    fileprivate var weight: Int {
        notes.reduce(500 + name.utf8.count + attributes.textBytes) { $0 + 200 + $1.text.utf8.count }
    }
}
