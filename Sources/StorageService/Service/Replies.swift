// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Logging
import ServiceHost
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// Sends answers and refusals with storage's position, and logs each request with its result.
final class Replies {
    let server: RequestServer
    private let logger: Logger
    private var log: RequestLog
    /// The present position.
    private let position: () -> Position

    init(_ server: RequestServer, _ logger: Logger, position: @escaping () -> Position) {
        (self.server, self.logger, self.position) = (server, logger, position)
        log = RequestLog(logger)
    }

    var isLogging: Bool { log.isOn }

    func begin(_ address: ReplyAddress) { log.begin(address.key, address.kind) }

    /// Sends the answers of one commit together.
    func answer(_ destinations: [WriteBatch.Destination], _ bodies: [[UInt8]], at position: Position) {
        do throws(ZeroMQError) {
            try server.together {
                for (destination, body) in zip(destinations, bodies) {
                    switch destination {
                    case .peer(let address): answer(address, body, at: position)
                    case .inside(let take): take(.success(body))
                    }
                }
            }
        } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)"])
        }
    }

    /// - Parameters:
    ///   - body: an encoded `Reply`.
    ///   - position: what the answer includes at least; nil: the present one.
    func answer(_ address: ReplyAddress, _ body: [UInt8], at position: Position? = nil) {
        log.end(address.key, RequestLog.result(of: body))
        do throws(ZeroMQError) {
            try server.answer(address, ReplyHeader(position: position ?? self.position()), body)
        } catch {
            failed(address, error)
        }
    }

    /// What may have been done is not refused but left without an answer: the client sends it again, and gets the one that
    /// it was given.
    func refuse(_ address: ReplyAddress, _ refusal: ServiceError) {
        guard refusal != .undecided else { return log.end(address.key, "unanswered") }
        log.end(address.key, refusal.code.name)
        do throws(ZeroMQError) {
            try server.refuse(address, ReplyHeader(position: position()), refusal)
        } catch {
            failed(address, error)
        }
    }

    private func failed(_ address: ReplyAddress, _ error: ZeroMQError) {
        logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
    }
}
