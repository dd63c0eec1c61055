// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// Sends answers and refusals to clients, with the service's present state in their header, and logs each request with
/// its result.
final class Answers {
    /// Nil once it is closed: then nothing is sent any more.
    private(set) var server: RequestServer?
    private let logger: Logger
    private var log: RequestLog
    /// The state for the headers. Set before the first request comes.
    var standing: () -> ReplyHeader = { ReplyHeader() }
    /// How many answers are being assembled and wait for storage or for another step.
    var assembling = 0
    /// Whether the service is stopping and refuses new requests.
    var isRefusing = false

    init(_ server: RequestServer, _ logger: Logger) {
        (self.server, self.logger) = (server, logger)
        log = RequestLog(logger)
    }

    var isLogging: Bool { log.isOn }

    func begin(_ address: ReplyAddress) { log.begin(address.key, address.kind) }

    func answer(_ address: ReplyAddress, _ body: [UInt8]) { pass(address, standing(), body) }

    /// An answer as another service gave it.
    func pass(_ address: ReplyAddress, _ header: ReplyHeader, _ body: [UInt8]) {
        log.end(address.key, RequestLog.result(of: body))
        send(address) { server throws(ZeroMQError) in try server.answer(address, header, body) }
    }

    func answer(_ address: ReplyAddress, _ answer: SlowAnswer) {
        switch answer {
        case .hits(let reply): self.answer(address, reply)
        case .encoded(let body): self.answer(address, body)
        }
    }

    func answer(_ address: ReplyAddress, _ reply: HitsReply) {
        log.end(address.key, "ok")
        send(address) { server throws(ZeroMQError) in
            try server.answer(address, standing(), byteCount: reply.byteCount) { reply.write(to: $0) }
        }
    }

    func refuse(_ address: ReplyAddress, _ error: ServiceError) {
        log.end(address.key, error.code.name)
        send(address) { server throws(ZeroMQError) in try server.refuse(address, standing(), error) }
    }

    /// The client gets no answer, and sends the request again.
    func leaveUnanswered(_ address: ReplyAddress) { log.end(address.key, "unanswered") }

    private func send(_ address: ReplyAddress, _ body: (RequestServer) throws(ZeroMQError) -> Void) {
        guard let server else { return }
        do throws(ZeroMQError) { try body(server) } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
        }
    }

    /// Answers that are given within `body` are sent together.
    func together(_ body: () -> Void) {
        guard let server else { return body() }
        do throws(ZeroMQError) { try server.together(body) } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)"])
        }
    }

    func close() {
        server?.close()
        server = nil
    }
}

extension ServiceError {
    static let stopping = ServiceError(
        .unavailable, "The service is stopping: send the same request again.", retryAfter: 500)
}
