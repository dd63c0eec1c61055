// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// A request that waits until the service has reached a certain revision.
package struct ParkedRequest {
    package let command: WireRequest.OneOf_Command
    package let request: IncomingRequest
    /// The revision that the request waits for.
    package let wanted: UInt64
    /// The monotonic milliseconds at which the wait ends even if the revision was not reached.
    package let until: UInt64

    package init(command: WireRequest.OneOf_Command, request: IncomingRequest, wanted: UInt64, until: UInt64) {
        (self.command, self.request, self.wanted, self.until) = (command, request, wanted, until)
    }
}

/// The requests that wait for a revision. Limited in number and bytes. A change costs nothing for the requests that go
/// on waiting.
package struct ParkedRequests {
    /// The identity of a request and its copies on the same connection. Only the latest copy waits and is answered.
    private struct Name: Hashable {
        var connection: [UInt8]
        var key: RequestKey

        init(_ address: ReplyAddress) { (connection, key) = (address.connection, address.key) }
    }

    /// The account to whose share a waiting request counts, or the connection if there are no accounts.
    private enum Owner: Hashable {
        case account(UInt64)
        case connection([UInt8])

        init(_ request: IncomingRequest) {
            let account = request.header.account
            self = account == 0 ? .connection(request.address.connection) : .account(account)
        }
    }

    private let limit: Int
    private let share: Int
    private static let byteLimit = 16 * 1024 * 1024
    /// The waiting requests, keyed by a number that counts up in the order of arrival.
    private var waiting: [UInt64: ParkedRequest] = [:]
    private var numbers: [Name: UInt64] = [:]
    private var shares: [Owner: Int] = [:]
    /// The waiting requests in reverse order of release, so that the next one is last. A lower revision is released
    /// first, and of the requests for one revision the first arrival.
    private var order: [(wanted: UInt64, number: UInt64)] = []
    private var last: UInt64 = 0
    package private(set) var bytes = 0

    /// - Parameters:
    ///   - limit: the maximum number of waiting requests.
    ///   - share: the maximum number of waiting requests of one account, or of one connection if there are no accounts.
    package init(limit: Int = 10_000, share: Int = .max) { (self.limit, self.share) = (limit, share) }

    package var isEmpty: Bool { waiting.isEmpty }
    package var count: Int { waiting.count }
    /// The time at which the first wait ends; nil if no request waits.
    package var earliest: UInt64? { waiting.values.lazy.map(\.until).min() }

    /// Adds a request. A copy of a waiting request replaces it. Returns false if too many are waiting.
    package mutating func add(_ request: ParkedRequest) -> Bool {
        let (name, owner) = (Name(request.request.address), Owner(request.request))
        if let copied = numbers[name], take(copied) != nil { order.removeAll { $0.number == copied } }
        guard waiting.count < limit, shares[owner, default: 0] < share,
            bytes + request.request.body.count <= Self.byteLimit
        else { return false }
        last += 1
        waiting[last] = request
        numbers[name] = last
        shares[owner, default: 0] += 1
        bytes += request.request.body.count
        let place = order.indices.partition { order[$0].wanted > request.wanted }
        order.insert((request.wanted, last), at: place)
        return true
    }

    /// Removes and returns the next request that waits for `rev` or a lower revision; nil if there is none.
    package mutating func next(through rev: UInt64) -> ParkedRequest? {
        guard let next = order.last, next.wanted <= rev else { return nil }
        order.removeLast()
        return take(next.number)
    }

    /// Removes and returns the requests whose time is over.
    package mutating func overdue(now: UInt64) -> [ParkedRequest] {
        let numbers = waiting.filter { $0.value.until <= now }.keys.sorted()
        guard !numbers.isEmpty else { return [] }
        let taken = numbers.compactMap { take($0) }
        order.removeAll { waiting[$0.number] == nil }
        return taken
    }

    package mutating func removeAll() -> [ParkedRequest] {
        defer { self = ParkedRequests(limit: limit, share: share) }
        return waiting.sorted { $0.key < $1.key }.map(\.value)
    }

    private mutating func take(_ number: UInt64) -> ParkedRequest? {
        guard let parked = waiting.removeValue(forKey: number) else { return nil }
        bytes -= parked.request.body.count
        numbers[Name(parked.request.address)] = nil
        let owner = Owner(parked.request)
        let rest = shares[owner, default: 1] - 1
        shares[owner] = rest > 0 ? rest : nil
        return parked
    }
}
