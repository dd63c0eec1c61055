// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport

extension QueryServer {
    /// The time in nanoseconds after which the remaining requests wait for the next iteration of the event loop, so
    /// that storage's answers are handled in between.
    private static let longestTurn: UInt64 = 4_000_000

    /// Receives and handles the requests that have arrived. Returns the number of messages received.
    ///
    /// - Parameter isLocal: whether to receive the requests of the same process instead of those from the socket.
    @discardableResult
    func drain(isLocal: Bool = false) -> UInt64 {
        guard let running else { return 0 }
        let server = running.server
        let before = server.counters.received
        // Both, and the state in the headers, stay the same while requests are received. So they are read once for all.
        let (mismatch, isLogging) = (running.link.mismatch, running.answers.isLogging)
        func handleNext(_ request: IncomingRequest) {
            if let mismatch, request.address.kind != .health {
                return running.answers.refuse(request.address, mismatch)
            }
            handle(request, running, isLogging: isLogging)
        }
        func receive() {
            if isLocal {
                let version = running.link.spokenWithClients.upperBound
                return server.receiveLocal(version: version, nanoseconds: Self.longestTurn, handleNext)
            }
            do {
                try server.receive(
                    count: 1_024, bytes: 8 * 1024 * 1024, nanoseconds: Self.longestTurn, handleNext)
            } catch {
                logger.error("cannot receive requests", metadata: ["error": "\(error)"])
            }
        }
        running.answers.withOneHeader {
            if let channel = running.link.channel { channel.together(receive) } else { receive() }
        }
        return server.counters.received - before
    }

    private func handle(_ request: IncomingRequest, _ running: RunningQuery, isLogging: Bool) {
        let kind = request.address.kind
        var request = request
        var isTrusted = false
        do throws(ServiceError) {
            (request.header.account, isTrusted) = try running.gate?.asker(of: request) ?? (0, false)
            // Only a trusted asker may name the address that its request came from.
            if !isTrusted { request.header.origin = "" }
        } catch {
            running.link.flush()
            return running.answers.refuse(request.address, error)
        }
        if kind == .near, !running.answers.isRefusing, !isLogging,
            running.reads.parked.isReached(request.header),
            let fields = request.body.withUnsafeBytes({ NearFields(request: $0) })
        {
            running.link.flush()
            counters.nearByHand += 1
            counters.count(.near)
            return running.reads.near(fields, request)
        }
        if options.access != nil, request.header.origin.isEmpty, !request.address.isLocal {
            request.header.origin = running.server.origin
        }
        if isTrusted, kind == .signIn {
            running.link.flush()
            counters.count(.signIn)
            running.listeners?.signIn(request, by: running.server)
            return
        }
        // Handling other requests may take long, so the batch of writes to storage is flushed before them, below.
        if kind.isWrite, !running.answers.isRefusing, !isLogging {
            // The write is not decoded here: storage decodes it, and reports its errors.
            counters.count(kind)
            return running.link.forward(request)
        }
        running.link.flush()
        guard let wire = try? WireRequest(serializedBytes: request.body) else {
            return running.answers.refuse(request.address, .badRequest)
        }
        guard kind != .unknown, let command = wire.command else {
            return running.answers.refuse(request.address, .unknownCommand)
        }
        counters.count(kind)
        running.answers.begin(request.address)
        if running.answers.isRefusing, kind != .health { return running.answers.refuse(request.address, .stopping) }
        running.handlers.handle(command, request)
    }

    /// Registers the handlers of requests about this service.
    func handleOwn(_ handlers: RequestHandlers, _ answers: Replies, _ rates: RatePoller?) {
        handlers.on(.hello) { [weak self] command, request in
            guard case .hello(let hello) = command else { return }
            let welcome = self?.assumeIsolated { $0.welcome(hello, spoken: request.address.version) }
            answers.answer(request.address, (welcome ?? WireReply(.notLoaded)).encoded)
        }
        handlers.on(.health) { [weak self] _, request in
            let health = self?.assumeIsolated { $0.health() } ?? HealthReport()
            answers.answer(request.address, WireReply.with { $0.health = health.wire }.encoded)
        }
        handlers.on(.status) { [weak self] _, request in self?.assumeIsolated { $0.answerStatus(request) } }
        handlers.on(.rates) { _, request in
            do throws(ServiceError) {
                guard let rates else { throw .noRatesSource }
                answers.answer(request.address, try rates.reply().encoded)
            } catch {
                answers.refuse(request.address, error)
            }
        }
    }
}

extension ServiceError {
    fileprivate static let badRequest = ServiceError(
        .badFrame, "The request cannot be read: send a Request message.")
    fileprivate static let unknownCommand = ServiceError(
        .unknownCommand, "This release does not know the command: bring client and service to the same release.")
}
