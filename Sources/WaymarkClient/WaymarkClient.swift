// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
package import WaymarkProtocol
public import ZeroMQ

/// A connection to a query service: requests, and the feed of changes.
///
/// A client has a thread of its own, which owns its sockets. A request without an answer is sent again under the same
/// number until its time is over; the services recognise the number, so a write is executed once. The connection lives
/// until ``close()`` is called; copies share it.
public struct WaymarkClient: Sendable {
    let connection: ClientConnection
    /// The user or account for which requests are made; nil for the client's own user.
    private var author: RequestAuthor?

    /// - Parameter context: a ZeroMQ context that the process already has; nil makes a new one.
    /// - Throws: ``ClientError/cannotConnect(endpoint:reason:)`` when the endpoint is malformed.
    public init(_ options: ClientOptions, context: Context? = nil) async throws(ClientError) {
        self.init(try await ClientConnection(options, context: context))
    }

    init(_ connection: ClientConnection) { self.connection = connection }

    /// The same client, acting for somebody else.
    package func acting(for author: RequestAuthor) -> WaymarkClient {
        var client = self
        client.author = author
        return client
    }

    /// Ends waiting requests and feeds, and closes the sockets and the thread.
    public func close() async { await connection.close() }

    /// Greets the service, and learns where changes are published.
    public func hello() async throws(ClientError) -> Welcome { try await connection.hello() }

    // MARK: Requests

    /// Sends a request and returns its answer, also a failure. The parameters are explained at ``ClientConnection``.
    package func send(
        _ request: WireRequest, atLeast: Position? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> (Freshness?, WireReply) {
        let request = EncodedRequest(request)
        let (freshness, body) = try await connection.send(request, by: author, atLeast: atLeast, timeout: timeout)
        guard let reply = try? WireReply(serializedBytes: body) else {
            throw connection.unreadable("reply", to: request)
        }
        return (freshness, reply)
    }

    /// Sends a request, and extracts its answer from the reply.
    ///
    /// - Parameters:
    ///   - part: the reply's field with the answer, as named in the table of requests.
    ///   - name: the name of the answer for the error if it cannot be read; nil for the request's.
    func answer<Reply: SwiftProtobuf.Message, Part>(
        to request: WireRequest, _ part: KeyPath<Reply, Part>, _ name: String? = nil, atLeast: Position? = nil,
        timeout: Duration? = nil
    ) async throws(ClientError) -> (part: Part, freshness: Freshness?) {
        let request = EncodedRequest(request)
        let (freshness, body) = try await connection.send(request, by: author, atLeast: atLeast, timeout: timeout)
        guard let reply = try? Reply(serializedBytes: body) else { throw connection.unreadable("reply", to: request) }
        guard body.withUnsafeBytes({ WireFields.opening($0) }) == request.kind.row.answer.rawValue else {
            throw connection.unreadable(name, to: request)
        }
        return (reply[keyPath: part], freshness)
    }

    /// Sends a request, extracts its answer, and converts it to a value of the domain.
    ///
    /// - Parameter read: the conversion; returns nil if the answer lacks something.
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
    /// Reads a value of the domain from an answer, and reports an invalid one as an unreadable answer.
    static func reading<Value>(_ read: () throws(InvalidInput) -> Value) throws(ClientError) -> Value {
        do throws(InvalidInput) { return try read() } catch { throw .unreadableAnswer(error.description) }
    }
}
