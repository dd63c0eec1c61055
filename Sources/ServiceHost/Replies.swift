// SPDX-License-Identifier: Apache-2.0

public import Logging
public import WaymarkProtocol
public import WaymarkTransport
import ZeroMQ

/// Sends answers and errors to clients, with the service's present state in the header, and logs each request with its
/// result.
public final class Replies {
    /// The socket; nil after `close`, when nothing is sent any more.
    public private(set) var server: RequestServer?
    private let logger: Logger
    private var log: RequestLog
    /// The error that stands for an unknown outcome: the request may have been done. It is never sent.
    private let undecided: ServiceError?
    /// Returns the service's state for a header. Must be set before the first request arrives. The closure may hold an
    /// owner of these replies, so ``close()`` releases it.
    public var currentHeader: () -> ReplyHeader = { ReplyHeader() }
    /// The header of all answers of one turn; nil between turns.
    private var headerOfTurn: ReplyHeader?
    /// The number of requests whose answers are not complete yet, because a further step is needed.
    public var assembling = 0
    /// Whether the service is stopping and refuses new requests.
    public var isRefusing = false

    /// - Parameter undecided: an error that is not sent. The request is left without an answer instead. The client
    ///   sends the request again, and gets the result of the first attempt if that was done.
    public init(_ server: RequestServer, _ logger: Logger, undecided: ServiceError? = nil) {
        (self.server, self.logger, self.undecided) = (server, logger, undecided)
        log = RequestLog(logger)
    }

    public var isLogging: Bool { log.isOn }

    public func begin(_ address: ReplyAddress) { log.begin(address.key, address.kind) }

    /// - Parameters:
    ///   - body: the encoded `Reply`.
    ///   - header: the header from the service that has made the answer; nil if this service has made it.
    public func answer(_ address: ReplyAddress, _ body: [UInt8], _ header: ReplyHeader? = nil) {
        log.end(address.key, RequestLog.result(of: body))
        send(address) { server throws(ZeroMQError) in try server.answer(address, header ?? self.header, body) }
    }

    /// Sends an answer that is no error. The answer is written directly into the message.
    ///
    /// - Parameter fill: writes the answer; must write all bytes.
    public func answer(_ address: ReplyAddress, byteCount: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        log.end(address.key, "ok")
        send(address) { server throws(ZeroMQError) in
            try server.answer(address, header, byteCount: byteCount, fill: fill)
        }
    }

    public func refuse(_ address: ReplyAddress, _ error: ServiceError) {
        guard error != undecided else { return leaveUnanswered(address) }
        log.end(address.key, error.code.name)
        send(address) { server throws(ZeroMQError) in try server.refuse(address, header, error) }
    }

    /// Leaves a request without an answer. The client will send it again.
    public func leaveUnanswered(_ address: ReplyAddress) { log.end(address.key, "unanswered") }

    private func send(_ address: ReplyAddress, _ body: (RequestServer) throws(ZeroMQError) -> Void) {
        guard let server else { return }
        do throws(ZeroMQError) { try body(server) } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
        }
    }

    private var header: ReplyHeader { headerOfTurn ?? currentHeader() }

    /// Reads the service's state once for all answers within `body`, in which it must not change.
    public func withOneHeader(_ body: () -> Void) {
        headerOfTurn = currentHeader()
        body()
        headerOfTurn = nil
    }

    /// Sends all answers together that are sent within `body`.
    public func together(_ body: () -> Void) {
        guard let server else { return body() }
        do throws(ZeroMQError) { try server.together(body) } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)"])
        }
    }

    public func close() {
        server?.close()
        server = nil
        currentHeader = { ReplyHeader() }
    }
}
