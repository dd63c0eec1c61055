// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

extension HTTPFields {
    /// Whether the client waits for word before it sends its body (RFC 9110, 10.1.1).
    package var awaitsWord: Bool { self[.expect]?.lowercased() == "100-continue" }
}

/// A body that its client sends as soon as it is told to. It is told when somebody begins to read the body, so a request
/// that is refused before that is answered without it.
struct AwaitedBody: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var parts: RequestBody.AsyncIterator
        /// Nil once the client has been told.
        fileprivate var channel: (any Channel)?

        mutating func next() async throws -> ByteBuffer? {
            // Without a promise: where the connection is gone reading says so.
            channel?.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
            channel = nil
            return try await parts.next()
        }
    }

    let body: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: body.makeAsyncIterator(), channel: channel) }
}
