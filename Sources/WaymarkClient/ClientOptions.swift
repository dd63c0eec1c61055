// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// The endpoint, the user and the limits of a client.
public struct ClientOptions: Sendable {
    /// The endpoints of query services; at least one. The client uses one at a time, and the next when that one no
    /// longer serves. All of them follow the same storage; if accounts are required, all have the same key.
    public var endpoints: [String]
    /// The name under which changes are made. Required for writes unless accounts are required; then it is ignored.
    public var user: String
    /// The client's keys, for services that require accounts.
    public var keys: ClientKeys?
    /// The time limit of one request, including repeated sends and retries.
    public var timeout: Duration
    /// Name and version of the program, for the services' logs.
    public var agent: String
    /// The treatment of a request while nothing listens at the endpoint.
    public var whenRefused = WhenRefused.tryAgain
    /// The endpoint at which changes are followed, if the announced one cannot be reached from here: through a tunnel,
    /// or if another port was published for it. Nil uses the announced one. The publisher's key is the announced one in
    /// any case.
    public var feed: String?
    /// The bounds of a feed's queue. Only tests change them.
    package var feedBounds = FeedBounds()
    /// The protocol versions that the client speaks. Only tests of mixed releases change them.
    package var protocolVersions = WaymarkProtocol.versions

    public init(
        endpoint: String = WaymarkProtocol.defaultQueryEndpoint, user: String = "",
        timeout: Duration = .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds),
        agent: String = "waymark-client \(Product.version)", keys: ClientKeys? = nil
    ) {
        endpoints = [endpoint]
        self.user = user
        self.keys = keys
        self.timeout = timeout
        self.agent = agent
    }

    /// The endpoints as one text, for people.
    var endpoint: String { endpoints.joined(separator: ",") }

    /// Opens a client, and closes it after `body`.
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

/// The treatment of a request when the connection is refused, as it is if nothing listens.
public enum WhenRefused: Sendable, Hashable {
    /// The request waits until its time is over, because the service may be starting. For programs that keep running.
    case tryAgain
    /// The request ends at once with ``ClientError/cannotConnect(endpoint:reason:)``, unless there was a connection
    /// before. For programs that ask once.
    case giveUp
}
