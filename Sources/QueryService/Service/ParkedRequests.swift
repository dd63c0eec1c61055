// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
internal import WaymarkTransport

/// A request that waits until the replica reaches a revision.
struct ParkedRequest {
    let command: WireRequest.OneOf_Command
    let request: IncomingRequest
    /// The revision.
    let wanted: UInt64
    /// The monotonic time in milliseconds at which the request is refused with `not_yet`.
    let until: UInt64
}

/// The waiting requests, ordered by revision, lowest first. Bounded. A change costs nothing for requests that it does
/// not release.
struct ParkedRequests {
    private static let limit = 10_000
    private static let byteLimit = 16 * 1024 * 1024
    /// By a number that counts up in the order of arrival.
    private var waiting: [UInt64: ParkedRequest] = [:]
    /// Highest revision first, so that the next one is last; within one revision the first to arrive is last.
    private var order: [(wanted: UInt64, number: UInt64)] = []
    private var last: UInt64 = 0
    private(set) var bytes = 0

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    /// Returns false when too many are waiting.
    mutating func add(_ request: ParkedRequest) -> Bool {
        guard waiting.count < Self.limit, bytes + request.request.body.count <= Self.byteLimit else { return false }
        last += 1
        waiting[last] = request
        bytes += request.request.body.count
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle].wanted > request.wanted { low = middle + 1 } else { high = middle }
        }
        order.insert((request.wanted, last), at: low)
        return true
    }

    /// Removes and returns the next request that waits for this revision or a lower one.
    mutating func next(through rev: UInt64) -> ParkedRequest? {
        guard let next = order.last, next.wanted <= rev else { return nil }
        order.removeLast()
        return take(next.number)
    }

    /// Removes and returns the requests whose time is over.
    mutating func overdue(now: UInt64) -> [ParkedRequest] {
        let numbers = waiting.filter { $0.value.until <= now }.keys.sorted()
        guard !numbers.isEmpty else { return [] }
        let taken = numbers.compactMap { take($0) }
        order.removeAll { waiting[$0.number] == nil }
        return taken
    }

    mutating func removeAll() -> [ParkedRequest] {
        defer { self = ParkedRequests() }
        return waiting.sorted { $0.key < $1.key }.map(\.value)
    }

    private mutating func take(_ number: UInt64) -> ParkedRequest? {
        guard let request = waiting.removeValue(forKey: number) else { return nil }
        bytes -= request.request.body.count
        return request
    }
}
