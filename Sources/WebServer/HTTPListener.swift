// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
public import HummingbirdCore
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle

/// An HTTP/1.1 listener with limits. It runs on NIO's threads instead of the service's event loop, so that it can
/// answer while the event loop hangs.
///
/// It uses only Hummingbird's core, because the only other thing it needs is a table of routes. The rest of
/// Hummingbird, with the file system library that it depends on, would take a tenth of the build time.
public struct HTTPListener: Service {
    /// - Parameter peer: the IP address of the client's end of the connection; nil if the connection is gone.
    public typealias Responder = @Sendable (_ request: Request, _ peer: String?) async -> Response

    private let address: ListenAddress
    private let setting: String
    private let limits: HTTPLimits
    private let logger: Logger
    private let rule: @Sendable (ListenAddress) throws -> Void
    private let listening: @Sendable (ListenAddress) -> Void
    private let stalled: @Sendable () -> Void
    private let respond: Responder

    /// - Parameters:
    ///   - setting: the name of the setting that contains the address, for error messages.
    ///   - rule: throws an error if the service must not listen on the address; ``run()`` throws the same error.
    ///   - listening: called with the address and the actual port.
    ///   - stalled: called when a connection is closed because its client does not read.
    ///   - respond: answers a request. HEAD requests are passed unchanged; the listener omits the bodies of their
    ///     answers.
    public init(
        _ address: ListenAddress, setting: String, limits: HTTPLimits, logger: Logger,
        rule: @escaping @Sendable (ListenAddress) throws -> Void = { _ in },
        listening: @escaping @Sendable (ListenAddress) -> Void = { _ in },
        stalled: @escaping @Sendable () -> Void = {}, respond: @escaping Responder
    ) {
        (self.address, self.setting, self.limits, self.logger) = (address, setting, limits, logger)
        (self.rule, self.listening, self.stalled, self.respond) = (rule, listening, stalled, respond)
    }

    /// Listens until the service group stops. Then answers the requests already received and closes the connections.
    ///
    /// - Throws: ``HTTPListenerError`` if it cannot listen.
    public func run() async throws {
        try rule(address)
        // Hummingbird logs each connection at the level info, which would flood the service's log.
        let quiet = QuietWhenCancelled.logger(logger, atLeast: .warning)
        let date = HTTPDate()
        let connections = HTTPChannel(limits: limits, places: ConnectionPlaces(limits), stalled: stalled) {
            [respond] request, channel in
            var response = await respond(request, channel.remoteAddress?.ipAddress)
            response.headers[.date] = date.text
            return response
        }
        let server = Server(
            childChannelSetup: connections,
            configuration: ServerConfiguration(
                address: .hostname(address.host, port: Int(address.port)), backlog: limits.queue,
                // A connection that is closed to make room keeps its file descriptor for a moment.
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections + 16, logger: quiet)),
            onServerRunning: { [address, listening] channel in
                let port = channel.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? address.port
                listening(ListenAddress(host: address.host, port: port))
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: quiet)
        do {
            try await server.run()
        } catch let error as IOError {
            throw HTTPListenerError(address: address, setting: setting, errno: error.errnoCode)
        } catch let error as SocketAddressError {
            throw HTTPListenerError(code: .address, address: address, setting: setting, reason: "\(error)")
        }
    }
}
