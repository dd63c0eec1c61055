// SPDX-License-Identifier: Apache-2.0

import Digests
import Landmarks

/// One write as it came in: who asked, which of their requests it is, and what it wants.
struct WriteRequest: Sendable {
    /// The client's sixteen bytes, whatever they are.
    var client: UUIDv7
    var sequence: UInt64
    /// Of the encoded request: tells a request that is sent again from another one under the same number.
    var digest: RequestDigest
    /// Claimed, not proven; empty when none was given.
    var user: String
    /// Unix milliseconds, for people: what the landmark, note or change is dated.
    var now: UInt64
    var command: Command
}

/// The first 128 bits of a SHA-256: enough that no two requests of one client ever share it, by accident or on purpose.
struct RequestDigest: Hashable, Sendable {
    var high: UInt64
    var low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter user: as whom: the same body as somebody else is another request.
    init(of body: [UInt8], user: String = "") {
        var hash = SHA256()
        hash.update(user.utf8Span.span.bytes)
        hash.update([UInt8(0)].span.bytes)
        hash.update(body.span.bytes)
        (high, low) = hash.finalize().withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }
}
