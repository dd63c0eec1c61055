// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// A request for a lease: the right to be the only one that fetches a source for some time.
package struct FetchRequest: Hashable, Sendable {
    var source: String
    var url: String
    var format: String
    /// The number of milliseconds that must have passed since the last attempt.
    var every: UInt64
    /// The number of milliseconds after which the lease ends even if the client has not given it back.
    var lease: UInt64
}

extension FetchRequest {
    /// The maximum duration of a lease in milliseconds. A client that never gives its lease back blocks the source for
    /// so long.
    static let longestLease: UInt64 = 3_600_000
    /// The maximum interval between fetches in milliseconds: a leap year, as in the settings.
    private static let longestEvery: UInt64 = 366 * 86_400_000
    private static let textBytes = 8_192

    init(_ wire: WireBeginFetch) throws(InvalidInput) {
        source = try LandmarkRules.source(wire.source)
        try Self.bounded(wire.url, "URL")
        try Self.bounded(wire.format, "format")
        guard wire.leaseMs <= Self.longestLease else {
            throw .outOfRange("lease", "at most \(Self.longestLease) milliseconds")
        }
        guard wire.everyMs <= Self.longestEvery else {
            throw .outOfRange("time between two fetches", "at most \(Self.longestEvery) milliseconds")
        }
        (url, format, every, lease) = (wire.url, wire.format, wire.everyMs, wire.leaseMs)
    }

    static func bounded(_ text: String, _ what: String) throws(InvalidInput) {
        guard text.utf8.count <= textBytes else { throw .outOfRange(what, "at most \(textBytes) bytes") }
        // PostgreSQL cannot store a NUL character.
        guard !text.utf8.contains(0) else { throw .nulCharacter(what) }
    }
}
