// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Support

/// A write request: the client's id, the request's sequence number among all requests of the client, and the command.
package struct WriteRequest: Sendable {
    /// The sixteen bytes that identify the client. They need not be a valid UUID.
    var client: UUIDv7
    var sequence: UInt64
    /// The digest of the encoded request. It distinguishes a repeat from another request with the same number.
    package var digest: RequestDigest
    var caller: Caller
    /// The entry for the audit trail; nil if none is written.
    var deed: AuditDeed?
    /// The time that the landmark, the note or the change gets, in Unix milliseconds.
    package var now: UInt64
    package var command: Command

    package init(
        client: UUIDv7, sequence: UInt64, digest: RequestDigest, caller: Caller, deed: AuditDeed? = nil,
        now: UInt64, command: Command
    ) {
        (self.client, self.sequence, self.digest) = (client, sequence, digest)
        (self.caller, self.deed, self.now, self.command) = (caller, deed, now, command)
    }
}

/// The first 128 bits of a SHA-256 hash. Two different requests of one client never share them, not even on purpose.
package struct RequestDigest: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// - Parameter user: the caller, who is hashed too, because the same body from another user is another request.
    package init(of body: [UInt8], user: String = "") {
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
