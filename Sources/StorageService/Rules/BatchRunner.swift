// SPDX-License-Identifier: Apache-2.0

import Logging
import SwiftProtobuf
import WaymarkProtocol

/// The rules for a batch: which requests were answered before, what the others do, and what is written into the audit trail.
///
/// It runs inside the engine's open transaction, and knows nothing else of the engine. What the engine has committed or
/// rolled back it has to be told.
final class BatchRunner {
    struct Mark {
        fileprivate var runner: CommandRunner.Mark
        fileprivate var answers: UInt64
        fileprivate var refusals: NotedFailures
    }

    /// A batch whose rules have run.
    struct EndedBatch {
        let head: Head
        /// In the order of revisions.
        let changes: [EncodedChange]
        fileprivate let answers: UInt64
    }

    let runner: CommandRunner
    private let answers: AnswerBook
    private let logger: Logger
    /// Of what is refused here: it must not fill the audit trail.
    private var refusals = NotedFailures()

    /// Reads what each command would otherwise read from the tables.
    init(_ tables: WriterTables, window: AnswerWindow, uptime: Duration, logger: Logger) throws {
        self.logger = logger
        runner = try CommandRunner(tables)
        answers = try AnswerBook(tables.answers, tables.marks, window: window, uptime: uptime)
    }

    /// Whether the state in memory agrees with the tables. Call it outside of a transaction.
    func agrees() throws -> Bool { try runner.tables.changes.head() == runner.head && answers.agrees() }

    /// Executes the requests in their order.
    ///
    /// - Parameters:
    ///   - isGuarded: whether each request has a savepoint of its own, so that one that fails is refused alone.
    ///   - afterEach: called with the number of requests that are left, after the operations on tables of each one.
    /// - Returns: an encoded reply for each.
    func run(
        _ requests: ArraySlice<WriteRequest>, isGuarded: Bool, uptime: Duration,
        afterEach: (Int) throws -> Void = { _ in }
    ) throws -> [[UInt8]] {
        var replies: [[UInt8]] = []
        replies.reserveCapacity(requests.count)
        runner.expect(requests.count)
        for request in requests {
            replies.append(isGuarded ? try guarded(request, uptime) : try answer(request, uptime))
            try afterEach(requests.count - replies.count)
        }
        return replies
    }

    /// Ends a batch, which is made durable next. Deletes answers that have left the window. What runs from now on is of
    /// the batch after it.
    func end(uptime: Duration) throws -> EndedBatch {
        try answers.prune(uptime: uptime)
        return EndedBatch(head: runner.head, changes: runner.takeChanges(), answers: answers.end)
    }

    /// The batch is durable.
    func committed(_ batch: EndedBatch, uptime: Duration) {
        answers.committed(before: batch.answers, uptime: uptime)
    }

    var mark: Mark { Mark(runner: runner.mark, answers: answers.end, refusals: refusals) }

    /// Undoes what ran after the mark, which is of the batch that is not ended.
    func rollBack(to mark: Mark) {
        runner.rollBack(to: mark.runner)
        answers.rollBack(to: mark.answers)
        refusals = mark.refusals
    }

    /// Undoes a whole batch, and what ran after its end.
    ///
    /// - Parameter mark: from before its first request.
    func abandon(to mark: Mark) {
        rollBack(to: mark)
        answers.abandon()
    }

    /// The encoded reply: the remembered one, or that of the command, which is executed now.
    private func answer(_ request: WriteRequest, _ uptime: Duration) throws -> [UInt8] {
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
        try note(request, outcome, uptime)
        // What was refused for lack of permission was not done, and may be asked for again: it takes nobody's room.
        if request.command.isRemembered, outcome != ErrorCode.denied.name {
            try answers.remember(key, AnswerBook.Answer(digest: request.digest, reply: reply), uptime: uptime)
        }
        return reply
    }

    /// Writes into the audit trail what was done to accounts, and what was refused by the rules. Changes of landmarks are
    /// in the change log.
    private func note(_ request: WriteRequest, _ result: String, _ uptime: Duration) throws {
        guard let deed = request.deed else { return }
        var (subject, outcome, shelf) = (request.command.subject, result, AuditShelf.refusals)
        var isBounded = outcome != "ok"
        switch request.command {
        case .account(.rewriteOwners): return
        case .account(.note(_, let noted)):
            outcome = noted
            // Of the others the server has chosen.
            isBounded = noted == ErrorCode.denied.name
        case .account(let command):
            if outcome == "ok" { shelf = command.isVisit ? .visits : .deeds }
        default: guard outcome == ErrorCode.denied.name else { return }
        }
        if isBounded {
            let now = UInt64(max(0, uptime / .milliseconds(1)))
            guard let more = refusals.next(of: request.caller.number, now: now) else { return }
            if more > 0 { subject = "and \(more) refusals before; " + subject }
        }
        try runner.tables.audit.append(
            request.caller, deed, shelf, subject: subject, outcome: outcome, now: request.now)
    }

    /// As ``answer(_:_:)``, in a savepoint: a failure rolls back and refuses this command only.
    private func guarded(_ request: WriteRequest, _ uptime: Duration) throws -> [UInt8] {
        let mark = mark
        do {
            var reply: [UInt8] = []
            try runner.tables.inSavepoint {
                reply = try answer(request, uptime)
                return true
            }
            return reply
        } catch let error where EngineError.isOfOneCommand(error) {
            logger.error("A command failed although its checks had passed: \(error)")
            rollBack(to: mark)
            // The refusal names the damage: other commands may succeed, this one would fail again.
            let damage = (error as? EngineError)?.serviceError
            return try WireReply(damage ?? Refusal.unexpected).serializedBytes()
        }
    }
}

extension WriteRequest {
    var key: AnswerBook.Key { AnswerBook.Key(client: client, sequence: sequence) }
}

extension Command {
    /// Whether its answer is kept for copies of the request. A dry run does nothing.
    var isRemembered: Bool {
        switch self {
        case .ingest(let batch): !batch.isDryRun
        case .account(let command): command.isRemembered
        default: true
        }
    }
}
