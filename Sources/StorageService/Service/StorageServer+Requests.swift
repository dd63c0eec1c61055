// SPDX-License-Identifier: Apache-2.0

import Accounts
import Landmarks
import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

extension StorageServer {
    /// Receives what has arrived, and commits the writes among it together.
    ///
    /// - Returns: the number of messages.
    @discardableResult
    func drain() -> UInt64 {
        guard let server = replies?.server, !isPaused else { return 0 }
        let before = server.counters.received
        var batch = WriteBatch()
        swap(&batch, &pending)
        do {
            try server.receive(
                count: max(1, options.batchCommands - batch.count), bytes: max(1, options.batchBytes - batch.bytes)
            ) { take($0, into: &batch) }
        } catch {
            logger.error("cannot receive", metadata: ["error": "\(error)"])
        }
        swap(&batch, &pending)
        commit()
        if isCommitting, !hasRoom {
            // The rest waits in the socket, and its senders with it, until the batch that is under way is durable.
            isPaused = true
            server.stopReceiving()
        }
        return server.counters.received - before
    }

    /// Adds a write to the batch, answers what needs no reading, and starts a read.
    private func take(_ request: IncomingRequest, into batch: inout WriteBatch) {
        let address = request.address
        // The most frequent write is read without decoding the whole message. Decoding is needed to log the request and
        // to compare positions.
        let caller: Caller
        do throws(ServiceError) { caller = try self.caller(of: request) } catch { return refuse(address, error) }
        if address.kind == .add, !admission.isStopping, replies?.log.isOn == false, !request.header.hasAtLeast,
            let fields = request.body.withUnsafeBytes({ AddFields(request: $0) })
        {
            append(request, caller, to: &batch) { () throws(ServiceError) in try Command(fields) }
            return
        }
        guard let wire = try? WireRequest(serializedBytes: request.body) else { return refuse(address, .badRequest) }
        guard address.kind != .unknown, let command = wire.command else { return refuse(address, .unknownCommand) }
        replies?.log.begin(address.key, address.kind)
        if case .health = command { return answerHealth(address) }
        guard !admission.isStopping else { return refuse(address, EngineError.closed.serviceError) }
        if let refusal = positionRefusal(request.header) { return refuse(address, refusal) }
        if address.kind.isAboutAccounts {
            beginAccounts(command, request, caller)
        } else if address.kind.isWrite {
            append(request, caller, to: &batch) { () throws(ServiceError) in try Command(wire) }
        } else if case .hello(let hello) = command {
            answer(address, welcome(hello, spoken: address.version).encoded)
        } else {
            beginRead(command, request, caller)
        }
    }

    private func append(
        _ request: IncomingRequest, _ caller: Caller, to batch: inout WriteBatch,
        _ command: () throws(ServiceError) -> Command
    ) {
        do throws(ServiceError) {
            batch.append(
                WriteRequest(request, try command(), by: caller), bytes: request.body.count, .peer(request.address))
        } catch {
            refuse(request.address, error)
        }
    }

    /// - Parameter mayWait: false once the request has waited.
    private func beginRead(
        _ command: WireRequest.OneOf_Command, _ request: IncomingRequest, _ caller: Caller, mayWait: Bool = true
    ) {
        let (address, header) = (request.address, request.header)
        if let refusal = caller.refusal(address.kind.row.permission) {
            Task { await noteRefusal(request, caller) }
            return refuse(address, refusal)
        }
        if mayWait, case .changes(let changes) = command, let position = lane?.position {
            var proven = request
            // It waits on the account that the connection has proved, and not on one that it claims.
            proven.header.account = caller.number
            if waiting?.keep(changes, proven, at: position) == true { return }
        }
        guard admission.beginRead(address.kind) else {
            return refuse(address, ServiceError(.busy, "Too many reads at once: send it again.", retryAfter: 100))
        }
        // The read begins later, so it includes at least this position.
        let position = lane?.position
        Task {
            do throws(ServiceError) {
                let body = try await read(command, header)
                await settled()
                answer(address, body, at: position)
            } catch {
                refuse(address, error)
            }
            admission.endRead()
        }
    }

    /// Answers a request that has waited. Its account may have ended meanwhile.
    func answer(_ changes: WireChanges, afterWait request: IncomingRequest) {
        do throws(ServiceError) {
            beginRead(.changes(changes), request, try caller(of: request), mayWait: false)
        } catch {
            refuse(request.address, error)
        }
    }

    /// The refusal if storage has not reached the position that the request requires; nil if it has.
    private func positionRefusal(_ header: RequestHeader) -> ServiceError? {
        guard header.hasAtLeast, let lane else { return nil }
        let here = lane.position
        guard let wanted = try? Position(header.atLeast), wanted.epoch == here.epoch else { return otherEpoch(lane) }
        guard wanted.rev <= here.rev else {
            return ifWriter(lane, EngineError.futureRevision(floor: lane.floor, head: here.rev).serviceError)
        }
        return nil
    }

    /// The refusal of a position by its epoch.
    func otherEpoch(_ lane: WriterLane) -> ServiceError { ifWriter(lane, .otherEpoch) }

    /// One that was asleep does not know what its successor has committed meanwhile.
    private func ifWriter(_ lane: WriterLane, _ verdict: ServiceError) -> ServiceError {
        lane.remote.isSurelyWriter ? verdict : EngineError.superseded.serviceError
    }

    /// - Parameter position: what the answer includes at least; nil for the newest one.
    func answer(_ address: ReplyAddress, _ body: [UInt8], at position: Position? = nil) {
        guard let lane else { return }
        replies?.answer(address, body, at: position ?? lane.position)
    }

    /// What may have been done is not refused but left without an answer: the client sends it again, and gets the one that
    /// it was given.
    func refuse(_ address: ReplyAddress, _ refusal: ServiceError) {
        guard let lane else { return }
        guard refusal != .undecided else {
            replies?.log.end(address.key, "unanswered")
            return
        }
        replies?.refuse(address, refusal, at: lane.position)
    }
}

extension ServiceError {
    static let badRequest = ServiceError(.badFrame, "The request cannot be read: it is no Request message.")
    static let unknownCommand = ServiceError(
        .unknownCommand, "Storage does not know this command: send it to a query service, or bring both to one release."
    )
}
