// SPDX-License-Identifier: Apache-2.0

/// Keeps the first few of many in some order, in one pass.
struct FirstFew<Element> {
    private var kept: [Element] = []
    private let limit: Int
    private let isBefore: (Element, Element) -> Bool

    init(_ limit: Int, by isBefore: @escaping (Element, Element) -> Bool) {
        self.limit = limit
        self.isBefore = isBefore
        kept.reserveCapacity(2 * limit + 1)
    }

    mutating func offer(_ element: Element) {
        if let last = bound, !isBefore(element, last) { return }
        kept.append(element)
        // Twice as many as wanted are gathered before they are sorted, so that sorting costs little per element.
        if kept.count > 2 * limit { prune() }
    }

    /// Nothing beyond this can be among the first few.
    private var bound: Element?

    private mutating func prune() {
        kept.sort(by: isBefore)
        kept.removeLast(kept.count - limit)
        bound = kept.last
    }

    var sorted: [Element] { Array(kept.sorted(by: isBefore).prefix(limit)) }
}
