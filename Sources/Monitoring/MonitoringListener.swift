// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle

/// The HTTP listener of a service: `/health/live`, `/health/ready` and `/metrics`, for GET and HEAD; everything else
/// is 404.
///
/// It runs on a thread of NIO's, not on the service's loop, so that it can report that the loop hangs.
public struct MonitoringListener: Service {
    /// The most connections: enough for some probers and scrapers. Others wait in the kernel's queue.
    static let connectionLimit = 64
    static let connectionQueue = 64
    /// The longest silence of a connection; after it the listener closes the connection, in the middle of a request
    /// too. Longer than the usual time between two scrapes, so that a scraper keeps its connection.
    static let idleSeconds: Int64 = 75
    /// The longest time from the end of a request's header to the end of the request.
    static let requestSeconds: Int64 = 5
    /// The most bytes of a request's header.
    static let headerBytes = 8 * 1024
    static let headerFields = 64

    private let address: ListenAddress
    private let pages: MonitoringPages
    private let logger: Logger
    private let idle: TimeAmount
    private let patience: TimeAmount
    private let rule: @Sendable (ListenAddress) throws -> Void
    private let listening: @Sendable (ListenAddress) -> Void

    /// - Parameters:
    ///   - rule: throws if the service must not listen on the address; ``run()`` throws the same error.
    ///   - listening: called with the address and the actual port.
    public init(
        _ address: ListenAddress, pages: MonitoringPages, logger: Logger,
        rule: @escaping @Sendable (ListenAddress) throws -> Void = { _ in },
        listening: @escaping @Sendable (ListenAddress) -> Void = { _ in }
    ) {
        self.init(
            address, pages: pages, logger: logger, idle: .seconds(Self.idleSeconds), rule: rule, listening: listening)
    }

    init(
        _ address: ListenAddress, pages: MonitoringPages, logger: Logger, idle: TimeAmount,
        patience: TimeAmount = .seconds(Self.requestSeconds),
        rule: @escaping @Sendable (ListenAddress) throws -> Void = { _ in },
        listening: @escaping @Sendable (ListenAddress) -> Void
    ) {
        self.rule = rule
        self.address = address
        self.pages = pages
        self.logger = logger
        self.idle = idle
        self.patience = patience
        self.listening = listening
    }

    /// Listens until the service group stops. Then answers the requests already received, and closes its connections.
    ///
    /// - Throws: ``MonitoringListenerError`` if it cannot listen.
    public func run() async throws {
        try rule(address)
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.get("/health/live") { [pages] _, _ in await pages.live().response }
        router.get("/health/ready") { [pages] _, _ in await pages.ready().response }
        router.get("/metrics") { [pages] _, _ in await pages.metrics().response }
        // Hummingbird logs connections at info, which is noise in a service's log.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let application = Application(
            router: router,
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [RequestDeadline(patience)],
                    idleTimeout: idle,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: Self.headerBytes, maxHeaderListSize: Self.headerBytes,
                        maxHeaderFieldCount: Self.headerFields))),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: Int(address.port)), backlog: Self.connectionQueue,
                availableConnectionsDelegate: MaximumAvailableConnections(Self.connectionLimit, logger: quiet)),
            onServerRunning: { [address, logger, listening] channel in
                let port = channel.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? address.port
                let bound = ListenAddress(host: address.host, port: port)
                logger.info("metrics listening", metadata: ["http": "\(bound)"])
                listening(bound)
            },
            logger: quiet)
        do {
            try await application.run()
        } catch let error as IOError {
            throw MonitoringListenerError(address: address, errno: error.errnoCode)
        } catch let error as SocketAddressError {
            throw MonitoringListenerError(address: address, reason: "\(error)")
        }
    }
}

extension MonitoringPages.Page {
    fileprivate var response: Response {
        Response(
            status: isGood ? .ok : .serviceUnavailable,
            headers: [.contentType: contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
