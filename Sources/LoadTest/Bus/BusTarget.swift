// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// The bus under test: its endpoints, and the security of the connections to them.
public struct BusTarget: Hashable, Sendable {
    /// The endpoint to which messages are sent; nil for another end in this process, over TCP on loopback.
    public var endpoint: String?
    /// The endpoint from which one-way messages are received. If only the endpoint for sending is given, sending is
    /// timed.
    public var receive: String?
    /// The security of the connections to both endpoints; nil for neither encryption nor a password.
    public var security: SocketSecurity?

    public init(endpoint: String? = nil, receive: String? = nil, security: SocketSecurity? = nil) {
        (self.endpoint, self.receive, self.security) = (endpoint, receive, security)
    }

    /// Makes the options of a socket that connects to one of the endpoints; nil for an end in this process, which knows
    /// no security. Calls the system's resolver, which may block the thread for seconds.
    func options(for endpoint: String?) -> SocketOptions {
        var options = SocketOptions.client
        guard let endpoint else { return options }
        (options.ipv6, options.security) = (EndpointFamily.resolvesToIPv6(endpoint), security)
        return options
    }
}
