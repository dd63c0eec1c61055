// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import Landmarks

/// The name of a request. All copies have the same one, whichever way they are sent.
public struct RequestKey: Hashable, Sendable {
    public var client: UUIDv7
    public var sequence: UInt64

    public init(client: UUIDv7, sequence: UInt64) {
        self.client = client
        self.sequence = sequence
    }

    /// Nil if a header with these fields does not name the request.
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
