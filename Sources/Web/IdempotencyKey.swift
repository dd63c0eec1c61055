// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Landmarks
internal import Support

/// The header `Idempotency-Key`, turned into the identity of a request on the bus. Storage remembers its answers by
/// that identity, so a repeated HTTP request is done once, too, across restarts of every service.
///
/// Storage remembers 262,144 answers and none longer than an hour. A key is a client of its own there, so a later
/// repeat gets the code `forgotten` only while storage has room for the marks of that many clients.
enum IdempotencyKey {
    private static let mostBytes = 255

    static let reused =
        "Another request came with this Idempotency-Key before, so nothing was done: take a new key for each new request, "
        + "and the same key only to repeat a request."

    /// The request's identity; nil without the header.
    static func identity(_ headers: HTTPFields, user: String) throws(Problem) -> UUIDv7? {
        guard let key = headers[.idempotencyKey] else { return nil }
        guard !key.isEmpty, key.utf8.count <= mostBytes else {
            throw Problem.invalid("The header Idempotency-Key must have 1 to \(mostBytes) bytes.")
        }
        // A zero byte separates the parts: neither a header nor a name contains one.
        var digest = SHA256()
        digest.update(Array("waymark idempotency\0\(user)\0\(key)".utf8).span.bytes)
        return UUIDv7(bytes: digest.finalize().prefix(16))
    }
}
