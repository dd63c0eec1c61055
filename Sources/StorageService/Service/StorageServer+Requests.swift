// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceHost
import StorageRules
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

extension StorageServer {
    static let upkeepInterval = Duration.seconds(1)
    static let filesInterval = Duration.seconds(10)

    /// Receives the requests that have arrived, and commits all writes among them together.
    ///
    /// - Returns: the number of messages received.
    @discardableResult
    func drain() -> UInt64 {
        guard let running, running.commits.isReceiving else { return 0 }
        let (server, commits, isLogging) = (running.server, running.commits, running.replies.isLogging)
        let before = server.counters.received
        var batch = WriteBatch()
        swap(&batch, &commits.pending)
        do {
            try server.receive(
                count: max(1, options.batchCommands - batch.count), bytes: max(1, options.batchBytes - batch.bytes)
            ) { handle($0, running, isLogging: isLogging, into: &batch) }
        } catch {
            logger.error("cannot receive requests", metadata: ["error": "\(error)"])
        }
        assert(commits.pending.isEmpty, "writes that gathered while others were received would be lost")
        swap(&batch, &commits.pending)
        commits.commit()
        return server.counters.received - before
    }

    /// Adds a write to the batch, starts a read, or answers a request that needs neither.
    private func handle(
        _ request: IncomingRequest, _ running: RunningStorage, isLogging: Bool, into batch: inout WriteBatch
    ) {
        let (address, replies, kind) = (request.address, running.replies, request.address.kind)
        let caller: Caller
        do throws(ServiceError) { caller = try running.gate.caller(of: request) } catch {
            return replies.refuse(address, error)
        }
        // The most frequent write, `add`, is parsed without decoding the whole message. Logging a request and comparing
        // positions need the decoded message.
        if kind == .add, !replies.isRefusing, !isLogging, !request.header.hasAtLeast,
            let fields = request.body.withUnsafeBytes({ AddFields(request: $0) })
        {
            append(request, caller, replies, to: &batch) { () throws(ServiceError) in try Command(fields) }
            return
        }
        guard let wire = try? WireRequest(serializedBytes: request.body) else {
            return replies.refuse(address, .badRequest)
        }
        guard kind != .unknown, let command = wire.command else { return replies.refuse(address, .unknownCommand) }
        replies.begin(address)
        if case .health = command { return answerHealth(address, running) }
        guard !replies.isRefusing else { return replies.refuse(address, EngineError.closed.serviceError) }
        if let refusal = running.commits.executor.refusal(request.header) { return replies.refuse(address, refusal) }
        if kind.isAboutAccounts {
            running.accounts.begin(command, request, caller)
        } else if kind.isWrite {
            append(request, caller, replies, to: &batch) { () throws(ServiceError) in try Command(wire) }
        } else if case .hello(let hello) = command {
            replies.answer(address, welcome(hello, spoken: address.version).encoded)
        } else {
            beginRead(command, request, caller, running)
        }
    }

    private func append(
        _ request: IncomingRequest, _ caller: Caller, _ replies: Replies, to batch: inout WriteBatch,
        _ command: () throws(ServiceError) -> Command
    ) {
        do throws(ServiceError) {
            batch.append(
                WriteRequest(request, try command(), by: caller), bytes: request.body.count, .peer(request.address))
        } catch {
            replies.refuse(request.address, error)
        }
    }

    /// Starts a read, or keeps it waiting for newer changes.
    ///
    /// - Parameter mayWait: whether the read may wait for newer changes; false if it has already waited.
    private func beginRead(
        _ command: WireRequest.OneOf_Command, _ request: IncomingRequest, _ caller: Caller, _ running: RunningStorage,
        mayWait: Bool = true
    ) {
        if let refusal = caller.refusal(request.address.kind.row.permission) {
            Task { await self.running?.accounts.noteRefusal(request, caller) }
            return running.replies.refuse(request.address, refusal)
        }
        var proven = request
        // The limit of waiting reads, and what a list shows, must go by the account that the connection has proved, not
        // by an account that the request only names.
        proven.header.account = caller.number
        // An empty name stands for storage's machine; no name is a space.
        if caller.isProven { proven.header.user = "" } else if proven.header.user.isEmpty { proven.header.user = " " }
        if mayWait, case .changes(let changes) = command {
            if running.commits.waiting.keep(changes, proven, at: running.commits.executor.position) { return }
        }
        running.handlers.begin(command, proven)
    }

    /// Answers a read that has waited. Its account is looked up again, because the account may have ended meanwhile.
    func answer(_ changes: WireChanges, afterWait request: IncomingRequest) {
        guard let running else { return }
        do throws(ServiceError) {
            beginRead(.changes(changes), request, try running.gate.caller(of: request), running, mayWait: false)
        } catch {
            running.replies.refuse(request.address, error)
        }
    }

    /// Does periodic work, once a second.
    func upkeep() {
        guard let running else { return }
        running.backups.tend()
        running.server.settle()
        running.commits.publisher.settle()
        // Keys may have expired in the last second.
        if options.access != nil { running.commits.publisher.cutOffRefused() }
        running.upkeep.begin()
    }

    /// Logs a warning if few file descriptors are left, and for each account that has reached its share of the feed.
    func checkOpenFiles() {
        for number in running?.commits.publisher.takeRefusals() ?? [] {
            logger.warning(
                "an account has used up its share of the feed's connections or topics",
                metadata: ["account": "\((try? running?.gate.book.account(number).name) ?? "")"])
        }
        guard let news = openFiles.look(count: OpenFiles.count, limit: OpenFiles.limit) else { return }
        logger.log(level: news.isWarning ? .warning : .notice, "\(news.sentence)")
    }
}

extension ServiceError {
    static let badRequest = ServiceError(.badFrame, "The request cannot be read: send a Request message.")
    static let unknownCommand = ServiceError(
        .unknownCommand, "Storage does not know this command: send it to a query service, or bring both to one release."
    )
}
