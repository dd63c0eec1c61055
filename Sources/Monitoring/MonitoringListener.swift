// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle
public import WebServer

/// The HTTP listener of a service. Answers GET and HEAD of `/health/live`, `/health/ready` and `/metrics`, and
/// everything else with 404.
public struct MonitoringListener: Service {
    /// Limits that suffice for a few clients that check the health or read the metrics.
    public static let limits = HTTPLimits(connections: 64)

    private let listener: HTTPListener

    /// - Parameters:
    ///   - setting: the name of the setting that contains the address, for error messages.
    ///   - rule: throws if the service must not listen on the address. ``run()`` then throws the same error.
    ///   - listening: called with the address and the actual port when the listener listens.
    public init(
        _ address: ListenAddress, pages: MonitoringPages, logger: Logger,
        limits: HTTPLimits = MonitoringListener.limits, setting: String = "http.listen",
        rule: @escaping @Sendable (ListenAddress) throws -> Void = { _ in },
        listening: @escaping @Sendable (ListenAddress) -> Void = { _ in }
    ) {
        listener = HTTPListener(
            address, setting: setting, limits: limits, logger: logger, rule: rule,
            listening: { bound in
                logger.info("metrics listening", metadata: ["http": "\(bound)"])
                listening(bound)
            },
            respond: { request, _ in await Self.answer(to: request, from: pages) })
    }

    private static func answer(to request: Request, from pages: MonitoringPages) async -> Response {
        guard request.method == .get || request.method == .head else { return Response(status: .notFound) }
        return switch request.uri.path {
        case "/health/live": await pages.live().response
        case "/health/ready": await pages.ready().response
        case "/metrics": await pages.metrics().response
        default: Response(status: .notFound)
        }
    }

    /// Listens until the service group stops. Then answers the requests already received, and closes its connections.
    ///
    /// - Throws: `HTTPListenerError` if it cannot listen.
    public func run() async throws { try await listener.run() }
}

extension MonitoringPages.Page {
    fileprivate var response: Response {
        Response(
            status: isGood ? .ok : .serviceUnavailable,
            headers: [.contentType: contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
