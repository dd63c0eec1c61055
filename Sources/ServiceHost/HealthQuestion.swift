// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// Asks a running service for its health, over its own socket.
actor HealthQuestion {
    enum Answer: Sendable {
        case report(HealthReport)
        /// A service listens there but does not accept the key. The sentence says what to do.
        case locked(String)
        /// There is no usable answer. The sentence gives the reason.
        case silent(String)
    }

    private let loop: EventLoop
    private let context: Context

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init() throws(ZeroMQError) {
        context = try Context()
        loop = try EventLoop(name: "waymark-health")
    }

    /// - Parameters:
    ///   - timeout: the longest time to wait, including the time to connect.
    ///   - security: uses the service's own keys; nil if the service does not require accounts.
    func ask(_ endpoint: String, security: SocketSecurity? = nil, timeout: Duration) async -> Answer {
        let answer = await sent(to: endpoint, security, timeout: timeout)
        await loop.stop()
        context.terminate()
        return answer
    }

    private func sent(to endpoint: String, _ security: SocketSecurity?, timeout: Duration) async -> Answer {
        let channel: RequestChannel
        do {
            channel = try RequestChannel(
                loop: loop, context: context, endpoints: [endpoint], security: { _ in security })
        } catch {
            return .silent("\(endpoint) cannot be asked: \(error)")
        }
        defer { channel.close() }
        var numbers = RequestNumbers()
        let body = WireRequest.with { $0.health = WireHealth() }.encoded
        let outcome = await channel.ask(
            RequestHeader(key: numbers.next()), body: body, milliseconds: UInt64(max(1, timeout / .milliseconds(1))))
        switch outcome {
        case .answered(_, let body, _):
            switch (try? WireReply(serializedBytes: body))?.result {
            case .health(let report)?: return .report(HealthReport(report))
            // The service refuses the request, and its error message gives the reason.
            case .failure(let failure)?: return .report(HealthReport(problems: [ServiceError(failure).message]))
            default: return .silent("The answer from \(endpoint) cannot be read: is another program listening there?")
            }
        case .timedOut: return .silent("The service at \(endpoint) does not answer.")
        case .notConnected, .tooMany, .tooLarge, .cancelled, .closed:
            return Self.unreached(endpoint, channel.lastFailure, isOpen: channel.isOpen)
        }
    }

    /// - Parameter isOpen: whether the port was open at the last attempt to connect.
    private static func unreached(_ endpoint: String, _ failure: ConnectionFailure?, isOpen: Bool) -> Answer {
        switch failure {
        case .keysNeeded:
            .locked(
                "\(endpoint) requires accounts: give this command the settings that the service was started with, also "
                    + "those of the environment, or http.listen, which needs no key.")
        case .noKeys:
            .locked(
                "\(endpoint) has no accounts, and these settings require them: give this command the settings that the "
                    + "service was started with.")
        case .keyRefused, .otherKey:
            .locked(
                "The server at \(endpoint) does not accept the key of these settings: give this command the settings "
                    + "that the service was started with.")
        case .foreign: .silent("The server at \(endpoint) does not speak ZeroMQ: check the endpoint.")
        // A port can be open although its process hangs.
        case .handshake,
            nil where isOpen:
            .silent("The service at \(endpoint) does not answer.")
        case .unreachable, .noSocket, nil: .silent("Nobody listens at \(endpoint).")
        case .unknownHost, .noRoute, .notAllowed:
            .silent("\(endpoint) cannot be reached: \(failure.map { "\($0)" } ?? "").")
        }
    }
}
