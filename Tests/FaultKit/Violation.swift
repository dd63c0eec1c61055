// SPDX-License-Identifier: Apache-2.0

/// A promise of the feed.
public enum Promise: String, Sendable, Hashable, CaseIterable {
    case ordered, unique, reliable, atomic, resumable, bookmarkable, honest, durable
    case snapshotConsistent = "snapshot-consistent"
}

/// A broken promise: which one, for which client, and where.
public struct Violation: Sendable, Hashable, CustomStringConvertible {
    public var promise: Promise
    public var client: String
    public var rev: UInt64
    public var what: String

    public init(_ promise: Promise, _ what: String, client: String = "", rev: UInt64 = 0) {
        (self.promise, self.client, self.rev, self.what) = (promise, client, rev, what)
    }

    public var description: String {
        "\(promise.rawValue): \(client.isEmpty ? "storage" : client) at revision \(rev): \(what)"
    }
}
