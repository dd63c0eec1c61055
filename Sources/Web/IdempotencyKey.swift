// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Landmarks
internal import Support

/// Converts the header `Idempotency-Key` to the identity of a request in the protocol. Storage remembers its answers by
/// this identity, so a repeated HTTP request is done only once, even if services are restarted in between.
///
/// Storage remembers 262,144 answers, for at most an hour. To storage each key is a client of its own. If a key is used
/// again later, storage can answer with the code `forgotten` only while it has room for a mark of each client.
enum IdempotencyKey {
    private static let mostBytes = 255

    static let reused =
        "Another request came with this Idempotency-Key before, so nothing was done: take a new key for each new request, "
        + "and the same key only to repeat a request."

    /// Returns the identity of the request; nil without the header.
    static func identity(_ headers: HTTPFields, user: String) throws(Problem) -> UUIDv7? {
        guard let key = headers[.idempotencyKey] else { return nil }
        guard !key.isEmpty, key.utf8.count <= mostBytes else {
            throw Problem.invalid("The header Idempotency-Key must have 1 to \(mostBytes) bytes.")
        }
        // Zero bytes separate the parts, because neither headers nor names contain them.
        let digest = SHA256.hash(Array("waymark idempotency\0\(user)\0\(key)".utf8).span.bytes)
        return UUIDv7(bytes: digest.prefix(16))
    }
}
