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
    private var waiting: [ParkedRequest] = []

    var isEmpty: Bool { waiting.isEmpty }

    /// False when there are too many.
    mutating func add(_ request: ParkedRequest) -> Bool {
        guard waiting.count < Self.limit else { return false }
        waiting.append(request)
        return true
    }

    mutating func removeAll() -> [ParkedRequest] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting
    }
}
