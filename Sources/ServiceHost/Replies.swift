// SPDX-License-Identifier: Apache-2.0

public import Logging
public import WaymarkProtocol
public import WaymarkTransport
import ZeroMQ

/// Sends answers and refusals to clients, with the service's present state in their header, and logs each request with
/// its result.
public final class Replies {
    /// The socket; nil once closed: nothing is sent from then on.
    public private(set) var server: RequestServer?
    private let logger: Logger
    private var log: RequestLog
    /// A refusal that leaves open whether the request was done. It is never sent.
    private let undecided: ServiceError?
    /// The service's state for the headers. Set before the first request arrives.
    public var currentHeader: () -> ReplyHeader = { ReplyHeader() }
    /// Answers that are being assembled and wait for another step.
    public var assembling = 0
    /// Whether the service is stopping and refuses new requests.
    public var isRefusing = false

    /// - Parameter undecided: an error that is not sent. The request is left without an answer instead: the client
    ///   sends it again, and then gets the answer of the first copy if that was done.
    public init(_ server: RequestServer, _ logger: Logger, undecided: ServiceError? = nil) {
        (self.server, self.logger, self.undecided) = (server, logger, undecided)
        log = RequestLog(logger)
    }

    public var isLogging: Bool { log.isOn }

    public func begin(_ address: ReplyAddress) { log.begin(address.key, address.kind) }

    /// - Parameters:
    ///   - body: an encoded `Reply`.
    ///   - header: the state of another service, which has made the answer; nil: this service's state.
    public func answer(_ address: ReplyAddress, _ body: [UInt8], _ header: ReplyHeader? = nil) {
        log.end(address.key, RequestLog.result(of: body))
        send(address) { server throws(ZeroMQError) in try server.answer(address, header ?? currentHeader(), body) }
    }

    /// Sends an answer that is not a failure and that is written directly into its frame.
    ///
    /// - Parameter fill: must write all bytes.
    public func answer(_ address: ReplyAddress, byteCount: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        log.end(address.key, "ok")
        send(address) { server throws(ZeroMQError) in
            try server.answer(address, currentHeader(), byteCount: byteCount, fill: fill)
        }
    }

    public func refuse(_ address: ReplyAddress, _ error: ServiceError) {
        guard error != undecided else { return leaveUnanswered(address) }
        log.end(address.key, error.code.name)
        send(address) { server throws(ZeroMQError) in try server.refuse(address, currentHeader(), error) }
    }

    /// Leaves a request without an answer; its client will send it again.
    public func leaveUnanswered(_ address: ReplyAddress) { log.end(address.key, "unanswered") }

    private func send(_ address: ReplyAddress, _ body: (RequestServer) throws(ZeroMQError) -> Void) {
        guard let server else { return }
        do throws(ZeroMQError) { try body(server) } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
        }
    }

    /// Sends the answers that `body` gives together.
    public func together(_ body: () -> Void) {
        guard let server else { return body() }
        do throws(ZeroMQError) { try server.together(body) } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)"])
        }
    }

    public func close() {
        server?.close()
        server = nil
    }
}
