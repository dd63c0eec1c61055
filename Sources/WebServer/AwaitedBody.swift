// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

extension HTTPFields {
    /// Whether the client waits for a 100 (Continue) before it sends its body (RFC 9110, 10.1.1).
    package var awaitsWord: Bool { self[.expect]?.lowercased() == "100-continue" }
}

/// The body of a client that waits for a 100 (Continue) before it sends the body. The first read sends the 100. If a
/// request is refused before anybody reads its body, no 100 is sent.
struct AwaitedBody: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var parts: RequestBody.AsyncIterator
        /// The connection; nil once the 100 was sent.
        fileprivate var channel: (any Channel)?

        mutating func next() async throws -> ByteBuffer? {
            // No promise is needed: if the connection is gone, reading the body reports that.
            channel?.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
            channel = nil
            return try await parts.next()
        }
    }

    let body: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: body.makeAsyncIterator(), channel: channel) }
}
