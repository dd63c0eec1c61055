// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import Landmarks

/// The identity of a request: the client's id and the client's number for the request. All copies of a request have the
/// same key, even if they are sent on different connections.
public struct RequestKey: Hashable, Sendable {
    public var client: UUIDv7
    public var sequence: UInt64

    public init(client: UUIDv7, sequence: UInt64) {
        self.client = client
        self.sequence = sequence
    }

    /// Makes the key of a header with these fields. Nil if they do not identify a request.
    init?(client: Data, sequence: UInt64) {
        guard let client = UUIDv7(bytes: client), sequence > 0 else { return nil }
        self.init(client: client, sequence: sequence)
    }
}

/// Numbers the requests of one client.
public struct RequestNumbers: Sendable {
    let client: UUIDv7
    private var last: UInt64 = 0

    public init() {
        var generator = UUIDv7Generator()
        client = generator.next(now: WallClock.milliseconds)
    }

    public mutating func next() -> RequestKey {
        last += 1
        return RequestKey(client: client, sequence: last)
    }
}
