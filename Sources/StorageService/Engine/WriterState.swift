// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Logging
import SQLite
import SwiftProtobuf
import WaymarkProtocol

/// The writer's state in memory: its statements, and values that each command would otherwise read from the file.
final class WriterState {
    let runner: CommandRunner
    let answers: AnswerTable
    let begin: Statement
    let commit: Statement
    /// Whether a transaction has failed for what the file holds: then the next start looks at all of it.
    var sawDamage = false
    private let db: Database
    private let logger: Logger

    init(_ db: Database, window: AnswerWindow, uptime: Duration, logger: Logger) throws {
        self.db = db
        self.logger = logger
        begin = try Statement(db, sql: "BEGIN IMMEDIATE TRANSACTION")
        commit = try Statement(db, sql: "COMMIT TRANSACTION")
        runner = try CommandRunner(.sqlite(db))
        answers = try AnswerTable(db, window: window, uptime: uptime)
    }

    /// Whether the state in memory agrees with the file. Call it outside of a transaction.
    func agrees(with db: Database) throws -> Bool {
        try SQLiteChangeTable.head(db) == runner.head && AnswerTable.ends(db) == answers.ends
    }

    /// The encoded reply: the remembered one, or that of the command, which is executed now.
    func answer(_ request: WriteRequest, _ uptime: Duration) throws -> [UInt8] {
        let key = AnswerTable.Key(client: request.client, sequence: request.sequence)
        if let answer = try answers.find(key) {
            guard answer.digest == request.digest else {
                return try WireReply(refusal: Refusal.conflict).serializedBytes()
            }
            return answer.reply
        }
        if answers.mayHaveForgotten(key) { return try WireReply(refusal: Refusal.forgotten).serializedBytes() }
        let reply: [UInt8]
        var outcome = "ok"
        do {
            reply = try runner.run(request)
        } catch let refusal as ServiceError {
            reply = try WireReply(refusal: refusal).serializedBytes()
            outcome = refusal.code.name
        }
        try note(request, outcome)
        if request.command.isRemembered {
            try answers.remember(key, AnswerTable.Answer(digest: request.digest, reply: reply), uptime: uptime)
        }
        return reply
    }

    /// Writes into the audit trail what was done to accounts, and what was refused by the rules. Changes of landmarks are
    /// in the change log.
    private func note(_ request: WriteRequest, _ outcome: String) throws {
        guard let deed = request.deed else { return }
        switch request.command {
        case .account(.rewriteOwners): return
        case .account(.note(let subject, let outcome)):
            try runner.tables.audit.append(request.caller, deed, subject: subject, outcome: outcome, now: request.now)
        case .account(let command):
            try runner.tables.audit.append(
                request.caller, deed, subject: command.subject, outcome: outcome, now: request.now)
        default:
            guard outcome == ErrorCode.denied.name else { return }
            try runner.tables.audit.append(
                request.caller, deed, subject: request.command.subject, outcome: outcome, now: request.now)
        }
    }

    /// As ``answer(_:_:)``, in a savepoint: a failure rolls back and refuses this command only.
    func guarded(_ request: WriteRequest, _ uptime: Duration) throws -> [UInt8] {
        let mark = runner.mark
        let remembered = answers.uncommitted
        do {
            var reply: [UInt8] = []
            try db.inSavepoint {
                reply = try answer(request, uptime)
                return .commit
            }
            return reply
        } catch let error where EngineError.isOfOneCommand(error) {
            logger.error("A command failed although its checks had passed: \(error)")
            runner.rollBack(to: mark)
            answers.rollBack(to: remembered)
            // The refusal names the damage: other commands may succeed, this one would fail again.
            let damage = (error as? EngineError)?.serviceError
            return try WireReply(refusal: damage ?? Refusal.unexpected).serializedBytes()
        }
    }
}

extension Command {
    /// Whether its answer is kept for copies of the request. A dry run does nothing, and answers about accounts may hold
    /// what must not be kept.
    var isRemembered: Bool {
        switch self {
        case .ingest(let batch): !batch.isDryRun
        case .account: false
        default: true
        }
    }
}

extension WireReply {
    init(refusal: ServiceError) {
        self.init()
        failure = refusal.wire
    }
}
