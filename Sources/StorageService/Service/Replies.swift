// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Logging
import ServiceHost
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// Sends answers and refusals, and logs each request with its result.
struct Replies {
    let server: RequestServer
    let logger: Logger
    var log: RequestLog

    init(_ server: RequestServer, _ logger: Logger) {
        (self.server, self.logger) = (server, logger)
        log = RequestLog(logger)
    }

    /// Sends the answers of one commit together.
    mutating func answer(_ destinations: [WriteBatch.Destination], _ bodies: [[UInt8]], at position: Position) {
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
    ///   - position: what the answer includes at least.
    mutating func answer(_ address: ReplyAddress, _ body: [UInt8], at position: Position) {
        log.end(address.key, RequestLog.result(of: body))
        do throws(ZeroMQError) {
            try server.answer(address, ReplyHeader(position: position), body)
        } catch {
            failed(address, error)
        }
    }

    mutating func refuse(_ address: ReplyAddress, _ refusal: ServiceError, at position: Position) {
        log.end(address.key, refusal.code.name)
        do throws(ZeroMQError) {
            try server.refuse(address, ReplyHeader(position: position), refusal)
        } catch {
            failed(address, error)
        }
    }

    private func failed(_ address: ReplyAddress, _ error: ZeroMQError) {
        logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
    }
}
