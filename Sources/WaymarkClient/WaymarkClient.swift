// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
package import WaymarkProtocol
public import ZeroMQ

/// A connection to a query service, for requests and for the feed of changes.
///
/// A client has a thread of its own, which owns its sockets. A request without an answer is sent again with the same
/// sequence number until its time is over. The services recognise the number, so that a write is executed once. The
/// connection stays open until ``close()`` is called, and copies of the client share it.
public struct WaymarkClient: Sendable {
    let connection: ClientConnection
    /// The user or account on whose behalf requests are sent; nil for the client's own user.
    private var author: RequestAuthor?

    /// - Parameter context: a ZeroMQ context of the process; nil to make a new one.
    /// - Throws: ``ClientError/cannotConnect(endpoint:reason:)`` if the endpoint is malformed.
    public init(_ options: ClientOptions, context: Context? = nil) async throws(ClientError) {
        self.init(try await ClientConnection(options, context: context))
    }

    init(_ connection: ClientConnection) { self.connection = connection }

    /// Returns a client with the same connection that acts on behalf of another user or account.
    package func acting(for author: RequestAuthor) -> WaymarkClient {
        var client = self
        client.author = author
        return client
    }

    /// Ends waiting requests and feeds, closes the sockets, and stops the thread.
    public func close() async { await connection.close() }

    /// Sends a `hello` to the service, and learns where changes are published.
    public func hello() async throws(ClientError) -> Welcome { try await connection.hello() }

    /// Requests about tracks.
    public var tracks: TrackRequests { TrackRequests(client: self) }
    /// Requests about fences.
    public var fences: FenceRequests { FenceRequests(client: self) }
    /// Requests about hooks.
    public var hooks: HookRequests { HookRequests(client: self) }

    /// Requests about links and phones' keys.
    public var grants: GrantRequests { GrantRequests(client: self) }

    /// Sends a request and returns its reply, even if it is a failure. For the parameters see ``ClientConnection``.
    package func send(
        _ request: WireRequest, atLeast: Position? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> (Freshness?, WireReply) {
        let request = EncodedRequest(request)
        let (freshness, body) = try await reply(to: request, atLeast: atLeast, timeout: timeout)
        guard let reply = try? WireReply(serializedBytes: body) else {
            throw connection.unreadable("reply", to: request)
        }
        return (freshness, reply)
    }

    /// Sends a request and returns the encoded `Reply`, which is not a failure. All requests go through here.
    func reply(
        to request: EncodedRequest, atLeast: Position?, timeout: Duration?
    ) async throws(ClientError) -> (freshness: Freshness?, body: [UInt8]) {
        try await connection.send(request, by: author, atLeast: atLeast, timeout: timeout)
    }

    /// Sends a request, and extracts the answer from the reply.
    ///
    /// - Parameters:
    ///   - part: the field of the reply that contains the answer, as named in the table of requests.
    ///   - name: the name of the answer, for the error if it cannot be read; nil for the name of the request.
    func answer<Reply: SwiftProtobuf.Message, Part>(
        to request: WireRequest, _ part: KeyPath<Reply, Part>, _ name: String? = nil, atLeast: Position? = nil,
        timeout: Duration? = nil
    ) async throws(ClientError) -> (part: Part, freshness: Freshness?) {
        let request = EncodedRequest(request)
        let (freshness, body) = try await reply(to: request, atLeast: atLeast, timeout: timeout)
        guard let reply = try? Reply(serializedBytes: body) else { throw connection.unreadable("reply", to: request) }
        guard body.withUnsafeBytes({ WireFields.opening($0) }) == request.kind.row.answer.rawValue else {
            throw connection.unreadable(name, to: request)
        }
        return (reply[keyPath: part], freshness)
    }

    /// Sends a request, extracts the answer, and converts it to a value of this library by `read`, which returns nil if
    /// the answer lacks something.
    func ask<Part, Answer>(
        _ request: WireRequest, _ part: KeyPath<WireReply, Part>, _ name: String? = nil, timeout: Duration? = nil,
        read: (Part) throws(InvalidInput) -> Answer?
    ) async throws(ClientError) -> Answer {
        let found = try await answer(to: request, part, name, timeout: timeout).part
        if let value = try ClientError.reading({ () throws(InvalidInput) in try read(found) }) { return value }
        throw connection.unreadable(name, to: EncodedRequest(request))
    }
}

extension ClientError {
    /// Reads a value from an answer, and reports an invalid value as an unreadable answer.
    static func reading<Value>(_ read: () throws(InvalidInput) -> Value) throws(ClientError) -> Value {
        do throws(InvalidInput) { return try read() } catch { throw .unreadableAnswer(error.description) }
    }
}
