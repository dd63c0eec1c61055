// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import WaymarkTransport

/// A request that waits for the replica to come to a revision.
struct ParkedRequest {
    let command: WireRequest.OneOf_Command
    let request: IncomingRequest
    /// The monotonic millisecond at which it is told to come back.
    let until: UInt64
}

/// Those that wait; bounded.
struct ParkedRequests {
    private static let limit = 10_000
    private static let byteLimit = 16 * 1024 * 1024
    private var waiting: [ParkedRequest] = []
    private var bytes = 0

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    /// False when there are too many.
    mutating func add(_ request: ParkedRequest) -> Bool {
        guard waiting.count < Self.limit, bytes + request.request.body.count <= Self.byteLimit else { return false }
        waiting.append(request)
        bytes += request.request.body.count
        return true
    }

    mutating func removeAll() -> [ParkedRequest] {
        defer {
            waiting.removeAll(keepingCapacity: true)
            bytes = 0
        }
        return waiting
    }
}
