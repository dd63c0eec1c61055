// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
package import WaymarkTransport

/// The endpoint, the user and the limits of a client.
public struct ClientOptions: Sendable {
    /// The endpoints of query services; at least one. The client uses one endpoint at a time, and moves to the next
    /// when it no longer serves. All must follow the same storage and, if accounts are required, have the same key.
    public var endpoints: [String]
    /// The user in whose name changes are made. Required for writes if accounts are not required; otherwise ignored.
    public var user: String
    /// The client's keys, for services that require accounts.
    public var keys: ClientKeys?
    /// The time limit of one request, including the time for sending it again.
    public var timeout: Duration
    /// The name and version of the program, which the services log.
    public var agent: String
    /// Decides what happens to a request while nothing listens at the endpoint.
    public var whenRefused = WhenRefused.tryAgain
    /// The endpoint at which to follow changes, if the announced endpoint cannot be reached from here, for example
    /// because of a tunnel or because a container publishes another port. Nil for the announced endpoint. The
    /// publisher's key is always the announced one.
    public var feed: String?
    /// The requests of the query service in this process, which is the one at ``endpoints``. Reads then go there instead
    /// of through a socket. When the client is closed, those under way still end with their answers.
    package var local: LocalRequests?
    /// The limits of a feed's queue. Only tests change them.
    package var feedBounds = FeedBounds()
    /// The protocol versions that the client speaks. Only tests of mixed releases change them.
    package var protocolVersions = WaymarkProtocol.versions

    public init(
        endpoint: String = WaymarkProtocol.defaultQueryEndpoint, user: String = "",
        timeout: Duration = .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds),
        agent: String = "waymark-client \(Product.version)", keys: ClientKeys? = nil
    ) {
        endpoints = [endpoint]
        (self.user, self.keys, self.timeout, self.agent) = (user, keys, timeout, agent)
    }

    /// The endpoints joined to one text, for people to read.
    var endpoint: String { endpoints.count == 1 ? endpoints[0] : endpoints.joined(separator: ",") }

    /// Opens a client, runs `body` with it, and then closes the client.
    public func withClient<Value>(_ body: (WaymarkClient) async throws -> Value) async throws -> Value {
        let client = try await WaymarkClient(self)
        do {
            let value = try await body(client)
            await client.close()
            return value
        } catch {
            await client.close()
            throw error
        }
    }
}

/// Decides what happens to a request when the connection is refused, as it is if nothing listens.
public enum WhenRefused: Sendable, Hashable {
    /// The request waits until its time is over, because the service may be starting. For programs that run for long.
    case tryAgain
    /// The request ends at once with ``ClientError/cannotConnect(endpoint:reason:)``, unless there was a connection
    /// before. For programs that make one request and end.
    case giveUp
}
