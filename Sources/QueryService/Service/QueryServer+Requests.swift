// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
internal import Landmarks
import Logging
import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

extension QueryServer {
    /// - Returns: how many messages were received.
    @discardableResult
    func drain() -> UInt64 {
        guard let server else { return 0 }
        let before = server.counters.received
        func receive() {
            do {
                try server.receive(count: 1_024, bytes: 8 * 1024 * 1024, nanoseconds: Self.longestTurn) { take($0) }
            } catch {
                logger.error("cannot receive", metadata: ["error": "\(error)"])
            }
        }
        if let storage { storage.together(receive) } else { receive() }
        return server.counters.received - before
    }

    /// The time in nanoseconds after which the remaining requests wait for the next turn, so that storage's answers
    /// are handled in between.
    private static let longestTurn: UInt64 = 4_000_000

    private func take(_ request: IncomingRequest) {
        if let mismatch, request.address.kind != .health { return refuse(request.address, mismatch) }
        var request = request
        let isTrusted: Bool
        do throws(ServiceError) {
            let asker = try asker(of: request)
            isTrusted = asker.isTrusted
            request.header.account = asker.account
            // What anybody else says of it counts for nothing.
            if !asker.isTrusted { request.header.origin = "" }
        } catch {
            storage?.flush()
            return refuse(request.address, error)
        }
        if request.address.kind == .near, !work.isRefusing, !requestLog.isOn, isReached(request.header),
            let fields = request.body.withUnsafeBytes({ NearFields(request: $0) })
        {
            storage?.flush()
            counters.countNear()
            answerNear(fields, request)
            return
        }
        if options.access != nil, request.header.origin.isEmpty { request.header.origin = server?.origin ?? "" }
        if isTrusted, request.address.kind == .signIn {
            storage?.flush()
            counters.count(.signIn)
            return signIn(request)
        }
        // Every other request may take long, and the batch for storage must not wait for it.
        if request.address.kind.isWrite, !work.isRefusing, !requestLog.isOn {
            // Storage decodes the write, and reports what is wrong with it.
            counters.count(request.address.kind)
            forward(request)
            return
        }
        storage?.flush()
        guard let wire = try? WireRequest(serializedBytes: request.body) else {
            refuse(request.address, ServiceError(.badFrame, "The request cannot be read: it is no Request message."))
            return
        }
        guard request.address.kind != .unknown, let command = wire.command else {
            refuse(
                request.address,
                ServiceError(
                    .unknownCommand,
                    "This release does not know the command: bring client and service to the same release."))
            return
        }
        counters.count(request.address.kind)
        requestLog.begin(request.address)
        if work.isRefusing, command != .health(WireHealth()) {
            refuse(request.address, .stopping)
            return
        }
        handle(command, request)
    }

    func handle(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        if needsTowns(command) { return loadTowns(for: command, request) }
        switch command {
        case .hello(let hello): answer(request.address, welcome(hello, spoken: request.address.version).encoded)
        case .health: answer(request.address, WireReply.with { $0.health = health().wire }.encoded)
        case .status: answerStatus(request)
        case .rates:
            do throws(ServiceError) {
                guard let rates else { throw .noRatesSource }
                answer(request.address, try rates.reply().encoded)
            } catch {
                refuse(request.address, error)
            }
        case .near, .list, .distance, .tile: answerFromReplica(command, request)
        case .search(let search): answerSearch(search, command, request)
        case .show(let show) where isStorageAway: answerShowAlone(show, request)
        case .changes(let changes) where keepWaiting(changes, request) || answerChanges(changes, request): break
        default: forward(request)
        }
    }

    /// Answers from the replica once it has reached the revision that the request asks for.
    private func answerFromReplica(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        do throws(ServiceError) {
            if let halted = state.halted { throw halted }
            guard let replica else { throw .notLoaded }
            if let wanted = try missing(request.header) { return park(command, request, until: wanted) }
            switch command {
            case .near(let near): try begin(replica.near(near), request)
            case .list(let list): try begin(replica.list(list), request)
            case .tile(let tile): try begin(replica.tile(tile), request)
            case .distance(let distance): answer(request.address, try replica.distance(distance))
            default: throw ServiceError(.unknownCommand, "The replica does not answer this.")
            }
        } catch {
            refuse(request, error)
        }
    }

    /// The same for the most frequent query in its most frequent form.
    private func answerNear(_ fields: NearFields, _ request: IncomingRequest) {
        do throws(ServiceError) {
            if let halted = state.halted { throw halted }
            guard let replica else { throw .notLoaded }
            answer(request.address, try replica.near(fields))
        } catch {
            refuse(request, error)
        }
    }
}

extension ServiceError {
    static let notLoaded = ServiceError(
        .unavailable, "The service is starting and has not loaded its landmarks yet: try again.", retryAfter: 200)
    static let storageAway = ServiceError(
        .unavailable, "Storage does not answer at the moment. This request was not passed on: try again.",
        retryAfter: 500)
    static let unexpectedAnswer = ServiceError(.internal, "Storage gave an answer that does not fit the question.")
}
