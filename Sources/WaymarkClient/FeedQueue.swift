// SPDX-License-Identifier: Apache-2.0

import DequeModule

/// The sizes at which the producer of a feed's queue has to pause, and at which it may resume.
package struct FeedBounds: Sendable, Hashable {
    /// The number of items at which the producer has to pause.
    let most: Int
    /// The number of items below which the producer may resume.
    let few: Int
    /// The number of bytes at which the producer has to pause. It may resume below half of this number.
    let bytes: Int

    package init(most: Int = 4_096, few: Int = 1_024, bytes: Int = 16 * 1024 * 1024) {
        (self.most, self.few, self.bytes) = (most, few, bytes)
    }
}

/// The items of a feed that wait for the reader, in order. Does no I/O.
///
/// Items enter and leave only through the methods here, and each is stored with the weight, in bytes, with which it
/// entered. So the total always matches the items, and an empty queue weighs nothing.
struct FeedQueue {
    typealias Item = Result<FeedItem, ClientError>

    private let bounds: FeedBounds
    private var items: Deque<(item: Item, bytes: Int)> = []
    /// The approximate size of all items in memory, in bytes.
    private(set) var bytes = 0
    /// Whether the producer was told to pause, and not yet told to resume.
    private(set) var isHolding = false

    init(_ bounds: FeedBounds = FeedBounds()) {
        self.bounds = bounds
    }

    var count: Int { items.count }

    /// Adds an item.
    ///
    /// - Returns: whether the producer has to pause from now on. Further items are still accepted.
    mutating func put(_ item: Item) -> Bool {
        // Replace a preceding mark, because the later of two successive marks includes the earlier.
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

    /// Removes and returns the oldest item, and whether the producer may resume; nil if the queue is empty.
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

    /// The approximate size of the item in memory, in bytes: its texts, and an allowance for the rest.
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
