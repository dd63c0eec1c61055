// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import Logging
import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

extension QueryServer {
    /// - Returns: how many messages there were.
    @discardableResult
    func drain() -> UInt64 {
        guard let server else { return 0 }
        let before = server.counters.received
        func receive() {
            do {
                try server.receive(count: 1_024, bytes: 8 * 1024 * 1024) { take($0) }
            } catch {
                logger.error("cannot receive", metadata: ["error": "\(error)"])
            }
        }
        if let storage { storage.together(receive) } else { receive() }
        return server.counters.received - before
    }

    private func take(_ request: IncomingRequest) {
        if request.address.kind == .near, !isRefusing, !requestLog.isOn, !request.header.hasAtLeast,
            let fields = request.body.withUnsafeBytes({ NearFields(request: $0) })
        {
            storage?.flush()
            counters.countNear()
            answerNear(fields, request.address)
            return
        }
        // Whatever else comes may take long, and what is held for storage is not to wait for that.
        if request.address.kind.isWrite, !isRefusing, !requestLog.isOn, request.isOfOneField {
            // Storage reads it, and says what is wrong with it.
            counters.count(request.address.kind)
            forward(request)
            return
        }
        storage?.flush()
        guard let wire = try? WireRequest(serializedBytes: request.body) else {
            refuse(request.address, ServiceError(.badFrame, "The request cannot be read: it is no Request message."))
            return
        }
        guard let command = wire.command else {
            refuse(
                request.address,
                ServiceError(.unknownCommand, "This release does not know the command: bring both to the same one."))
            return
        }
        counters.count(command)
        requestLog.begin(request.address.key, command)
        if isRefusing, command != .health(WireHealth()) {
            refuse(request.address, .stopping)
            return
        }
        handle(command, request)
    }

    func handle(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        switch command {
        case .hello(let hello): answer(request.address, welcome(hello, spoken: request.address.version).encoded)
        case .health: answer(request.address, WireReply.with { $0.health = health().wire }.encoded)
        case .status: answerStatus(request)
        case .near, .list, .distance: answerFromReplica(command, request)
        case .search(let search): answerSearch(search, command, request)
        case .show(let show) where isStorageAway: answerShowAlone(show, request)
        default: forward(request)
        }
    }

    /// Answers from the replica, once it has come as far as the request asks.
    private func answerFromReplica(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        do throws(ServiceError) {
            if let halted { throw halted }
            guard let replica else { throw .notLoaded }
            guard try hasReached(request.header) else {
                park(command, request)
                return
            }
            switch command {
            case .near(let near): answer(request.address, try replica.near(near))
            case .list(let list): answer(request.address, try replica.list(list))
            case .distance(let distance): answer(request.address, try replica.distance(distance))
            default: throw ServiceError(.unknownCommand, "The replica does not answer this.")
            }
        } catch {
            refuse(request.address, error)
        }
    }

    /// The same for the question that is asked most, in the form that it mostly has.
    private func answerNear(_ fields: NearFields, _ address: ReplyAddress) {
        do throws(ServiceError) {
            if let halted { throw halted }
            guard let replica else { throw .notLoaded }
            answer(address, try replica.near(fields))
        } catch {
            refuse(address, error)
        }
    }

    /// Whether the replica has the revision that the request wants to see.
    func hasReached(_ header: RequestHeader) throws(ServiceError) -> Bool {
        guard header.hasAtLeast else { return true }
        guard let replica else { throw .notLoaded }
        guard let wanted = try? Position(header.atLeast), wanted.epoch == replica.position.epoch else {
            throw ServiceError(
                .epochChanged, "The position is from another history: forget it and begin with a snapshot.")
        }
        return replica.position.rev >= wanted.rev
    }

    func park(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        let until = Monotonic.milliseconds + request.remaining
        guard parked.add(ParkedRequest(command: command, request: request, until: until)) else {
            refuse(request.address, ServiceError(.busy, "Too many requests wait already.", retryAfter: 200))
            return
        }
        counters.parked += 1
        watchParked()
    }

    /// Those whose time runs out have to be told, also when nothing else happens.
    private func watchParked() {
        guard parkTimer == nil, !parked.isEmpty else { return }
        parkTimer = loop.schedule(after: .milliseconds(50), for: self) {
            $0.parkTimer = nil
            $0.releaseParked()
        }
    }

    func releaseParked() {
        guard !parked.isEmpty else { return }
        let now = Monotonic.milliseconds
        for waiting in parked.removeAll() {
            if (try? hasReached(waiting.request.header)) != false {
                handle(waiting.command, waiting.request)
            } else if now + 20 >= waiting.until {
                refuse(
                    waiting.request.address,
                    ServiceError(
                        .notYet, "This service has not come to that revision yet: send the same request again.",
                        retryAfter: 100))
            } else {
                _ = parked.add(waiting)
            }
        }
        watchParked()
    }

    /// Passes a request on to storage as it came, and its answer back.
    func forward(_ request: IncomingRequest) {
        guard let storage else { return refuse(request.address, .storageAway) }
        // What storage may have received already must not be called refused: it waits for storage to come back.
        let waiting = storage.waiting(request.address.key)
        guard waiting != nil || !isStorageAway else { return refuse(request.address, .storageAway) }
        if let waiting {
            // The same body as somebody else is another request; users by their bytes, as storage compares them.
            guard waiting.body == request.body, waiting.user.utf8.elementsEqual(request.header.user.utf8) else {
                return refuse(request.address, .requestConflict)
            }
        }
        let address = request.address
        guard address.version <= storageVersion else {
            let theirs = UInt32(address.version)
            return refuse(address, .protocolVersion(theirs...theirs, ours: spokenWithClients))
        }
        counters.forwarded += 1
        let isNew = storage.submit(
            request.header, body: request.body, version: address.version, milliseconds: request.remaining
        ) { outcome in
            self.forwarding -= 1
            self.forwarded(outcome, to: address)
        }
        if isNew { forwarding += 1 }
    }

    private func forwarded(_ outcome: ChannelOutcome, to address: ReplyAddress) {
        switch outcome {
        // Another copy may have been done: whoever asked asks again, and must not be told that nothing was.
        case .answered(_, let body, let unanswered)
        where unanswered > 0 && address.kind.isWrite && ErrorCode(ofReply: body)?.isVerdict == false:
            counters.forwardsTimedOut += 1
            requestLog.end(address.key, "unanswered")
        case .answered(_, let body, _) where ErrorCode(ofReply: body) == .protocolVersion:
            // Told only when the version that storage speaks now is known: whoever asked asks here what to speak.
            answersUnderWay += 1
            Task {
                _ = try? await helloStorage()
                answersUnderWay -= 1
                refuse(
                    address,
                    .protocolVersion(UInt32(address.version)...UInt32(address.version), ours: spokenWithClients))
            }
        case .answered(let header, let body, _):
            noticeHead(header.position)
            requestLog.end(address.key, RequestLog.result(of: body))
            do {
                try server?.answer(address, header, body)
            } catch {
                logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
            }
        case .notConnected: refuse(address, .storageAway)
        case .tooMany: refuse(address, ServiceError(.busy, "Too many requests wait for storage.", retryAfter: 200))
        // Whoever asked has stopped waiting too, and must not be told that nothing was done.
        case .timedOut, .cancelled, .closed:
            counters.forwardsTimedOut += 1
            requestLog.end(address.key, "unanswered")
        }
    }

    // MARK: Answers

    func answer(_ address: ReplyAddress, _ body: [UInt8]) {
        requestLog.end(address.key, RequestLog.result(of: body))
        do {
            try server?.answer(address, standing, body)
        } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
        }
    }

    func answer(_ address: ReplyAddress, _ reply: HitsReply) {
        requestLog.end(address.key, "ok")
        do {
            try server?.answer(address, standing, byteCount: reply.byteCount) { reply.write(to: $0) }
        } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
        }
    }

    func refuse(_ address: ReplyAddress, _ error: ServiceError) {
        requestLog.end(address.key, error.code.name)
        do {
            try server?.refuse(address, standing, error)
        } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
        }
    }

    private var standing: ReplyHeader {
        ReplyHeader(position: replica?.position, ageMs: UInt32(clamping: age), storageAway: isStorageAway)
    }
}

extension ServiceError {
    static let notLoaded = ServiceError(
        .unavailable, "The service is starting and has not loaded its landmarks yet: try again.", retryAfter: 200)
    static let requestConflict = ServiceError(
        .requestConflict, "Another request has this client and sequence: number each request anew.")
    static let storageAway = ServiceError(
        .unavailable, "Storage does not answer at the moment. This request was not passed on: try again.",
        retryAfter: 500)
    static let unexpectedAnswer = ServiceError(.internal, "Storage gave an answer that does not fit the question.")
}
