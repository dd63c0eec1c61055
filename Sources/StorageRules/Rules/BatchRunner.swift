// SPDX-License-Identifier: Apache-2.0

import Logging
import SwiftProtobuf
import WaymarkProtocol

/// Runs a batch of requests: finds requests that were answered before, executes the others, and writes the audit trail.
///
/// The runner uses only the tables of the engine's open transaction.
package final class BatchRunner {
    private struct Mark {
        fileprivate var runner: CommandRunner.Mark
        fileprivate var answers: UInt64
        fileprivate var refusals: NotedFailures
    }

    package let runner: CommandRunner
    private let answers: AnswerBook
    private let logger: Logger
    /// Limits how many refusals are written into the audit trail.
    private var refusals = NotedFailures()

    /// Loads into memory the values that each command would otherwise have to read from the tables.
    package init(_ tables: WriterTables, window: AnswerWindow, uptime: Duration, logger: Logger) throws {
        self.logger = logger
        runner = try CommandRunner(tables)
        answers = try AnswerBook(tables.answers, tables.marks, window: window, uptime: uptime)
    }

    /// Whether the state in memory agrees with the tables. Must not be called inside a transaction.
    package func agrees() throws -> Bool { try runner.tables.changes.head() == runner.head && answers.agrees() }

    /// Executes the requests in their order and calls `commit`. If any step fails, restores the state in memory.
    ///
    /// - Parameters:
    ///   - db: the open transaction, which sees what the requests have written.
    ///   - isGuarded: whether each request has a savepoint of its own, so that a failing request is refused alone.
    ///   - afterEach: called after each request has used the tables, with the number of requests that are still to run.
    ///   - commit: commits the transaction, together with the new head.
    /// - Returns: the batch with an encoded reply for each request.
    package func apply(
        _ batch: [WriteRequest], in db: any SQLSession, isGuarded: Bool, uptime: Duration,
        afterEach: (Int) throws -> Void = { _ in }, commit: (AppliedBatch, Head) throws -> Void
    ) throws -> AppliedBatch {
        let (mark, known) = (mark, runner.accounts.revision)
        do {
            var applied = AppliedBatch()
            applied.replies.reserveCapacity(batch.count)
            runner.expect(batch.count)
            runner.hooks.uptime = uptime
            for request in batch {
                applied.replies.append(isGuarded ? try guarded(request, db, uptime) : try answer(request, db, uptime))
                try afterEach(batch.count - applied.replies.count)
            }
            try answers.prune(uptime: uptime)
            applied.changes = runner.takeChanges()
            if runner.accounts.revision > known {
                applied.accounts = try SQLAccountTable(db: db).news(since: known)
                applied.accounts?.forgotten = runner.accounts.forgotten
            }
            try commit(applied, runner.head)
            answers.committed(before: answers.end, uptime: uptime)
            return applied
        } catch {
            rollBack(to: mark)
            answers.abandon()
            throw error
        }
    }

    private var mark: Mark { Mark(runner: runner.mark, answers: answers.end, refusals: refusals) }

    /// Restores the state in memory as it was at the mark.
    private func rollBack(to mark: Mark) {
        runner.rollBack(to: mark.runner)
        answers.rollBack(to: mark.answers)
        refusals = mark.refusals
    }

    /// Returns the encoded reply: the remembered reply if there is one, otherwise the result of executing the command.
    private func answer(_ request: WriteRequest, _ db: any SQLSession, _ uptime: Duration) throws -> [UInt8] {
        let key = request.key
        if let answer = try answers.find(key) {
            guard answer.digest == request.digest else {
                return try WireReply(.requestConflict).serializedBytes()
            }
            return answer.reply
        }
        if answers.mayHaveForgotten(key) { return try WireReply(Refusal.forgotten).serializedBytes() }
        let reply: [UInt8]
        var outcome = "ok"
        do {
            reply = try runner.run(request)
        } catch let refusal as ServiceError {
            reply = try WireReply(refusal).serializedBytes()
            outcome = refusal.code.name
        }
        try note(request, outcome, db, uptime)
        // A denied request did nothing and may be sent again, and so may one with a key that has ended. To remember its
        // answer would only make storage forget other answers sooner.
        if request.command.isRemembered, ![ErrorCode.denied.name, ErrorCode.keyEnded.name].contains(outcome) {
            try answers.remember(key, AnswerBook.Answer(digest: request.digest, reply: reply), uptime: uptime)
        }
        return reply
    }

    /// Writes into the audit trail each command on accounts and grants, successful or not, and each other command that
    /// was denied. Changes of landmarks are in the change log instead.
    private func note(_ request: WriteRequest, _ result: String, _ db: any SQLSession, _ uptime: Duration) throws {
        guard let deed = request.deed else { return }
        var (subject, outcome, shelf) = (request.command.subject, result, AuditShelf.refusals)
        var isBounded = outcome != "ok"
        switch request.command {
        case .account(.rewriteOwners): return
        case .account(.note(_, let noted)):
            outcome = noted
            // The other notes are about wrong passwords and codes, whose number the service has limited already.
            isBounded = noted == ErrorCode.denied.name
        case .account(let command):
            if outcome == "ok" { shelf = command.isVisit ? .visits : .deeds }
        case .addGrant, .endGrant: if outcome == "ok" { shelf = .grants }
        default: guard outcome == ErrorCode.denied.name else { return }
        }
        if isBounded {
            let now = UInt64(max(0, uptime / .milliseconds(1)))
            guard let more = refusals.next(of: request.caller.number, now: now) else { return }
            if more > 0 { subject = "and \(more) earlier refusals; " + subject }
        }
        try SQLAuditTable(db: db).append(
            request.caller, deed, shelf, subject: subject, outcome: outcome, now: request.now)
    }

    /// Answers a request inside a savepoint. If the command fails, rolls back and refuses this command only.
    private func guarded(_ request: WriteRequest, _ db: any SQLSession, _ uptime: Duration) throws -> [UInt8] {
        let mark = mark
        do {
            var reply: [UInt8] = []
            try runner.tables.inSavepoint {
                reply = try answer(request, db, uptime)
                return true
            }
            return reply
        } catch let error where EngineError.isOfOneCommand(error) {
            let cause = EngineError(error)
            logger.error("A command failed although its checks had passed: \(cause)")
            rollBack(to: mark)
            // The refusal names the damage, because a repeat of this command would fail again.
            if case .io = cause { return try WireReply(Refusal.unexpected).serializedBytes() }
            return try WireReply(cause.serviceError).serializedBytes()
        }
    }
}

extension WriteRequest {
    var key: AnswerBook.Key { AnswerBook.Key(client: client, sequence: sequence) }
}

extension Command {
    /// Whether the answer is remembered for repeats of the request. A dry run changes nothing and may run again.
    var isRemembered: Bool {
        switch self {
        case .ingest(let batch): !batch.isDryRun
        case .account(let command): command.isRemembered
        // A turn says where things stand, and may be taken again. There is one each second.
        case .hookTurn, .removeExpired: false
        default: true
        }
    }
}
