// SPDX-License-Identifier: Apache-2.0

import DequeModule
internal import WaymarkTransport

/// Requests that wait until storage has room for them. Connections take turns, so that a client with many requests
/// delays only its own. The size of the queue is limited.
struct ForwardQueue {
    private static let limit = 65_536
    private static let byteLimit = 64 * 1024 * 1024
    /// The waiting requests of each connection, in the order of arrival.
    private var waiting: [[UInt8]: Deque<IncomingRequest>] = [:]
    /// The connections that have waiting requests, in the order in which they take turns.
    private var turns: Deque<[UInt8]> = []
    private(set) var count = 0
    private(set) var bytes = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a request; returns false if the queue is full.
    mutating func add(_ request: IncomingRequest) -> Bool {
        guard count < Self.limit, bytes + request.body.count <= Self.byteLimit else { return false }
        let connection = request.address.connection
        if waiting[connection] == nil { turns.append(connection) }
        waiting[connection, default: []].append(request)
        count += 1
        bytes += request.body.count
        return true
    }

    mutating func next() -> IncomingRequest? {
        guard let connection = turns.popFirst(), let request = waiting[connection]?.popFirst() else { return nil }
        count -= 1
        bytes -= request.body.count
        if waiting[connection]?.isEmpty == false {
            turns.append(connection)
        } else {
            waiting[connection] = nil
        }
        return request
    }
}
