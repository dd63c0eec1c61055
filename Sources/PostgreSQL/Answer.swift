// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// A result of libpq. It does not depend on its connection, and stays valid after the connection is closed.
final class Answer {
    let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var status: ExecStatusType { PQresultStatus(result) }

    /// The command tag, for example `COMMIT` or `INSERT 0 1`.
    var commandTag: String { PQcmdStatus(result).map { String(cString: $0) } ?? "" }

    /// Whether a statement that should commit has committed. PostgreSQL answers the COMMIT of a failed transaction with
    /// the tag ROLLBACK and not with an error. Always true for statements with another effect.
    func hasCommitted(_ effect: SQLText.Effect) -> Bool { effect != .commits || commandTag != "ROLLBACK" }

    /// Returns the report of an error, without passwords.
    func report(_ secrets: Secrets) -> PostgreSQLError.Report {
        let message = field(.messagePrimary) ?? PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
        let severity = field(.severity)
        return PostgreSQLError.Report(
            sqlstate: field(.sqlstate) ?? "", message: secrets.hidden(in: LibpqMessage(message).firstLine),
            constraint: field(.constraintName) ?? "", endsSession: severity == "FATAL" || severity == "PANIC")
    }

    /// The fields of an error report. C defines them as character macros, which Swift does not import.
    private enum Field: UInt8 {
        case sqlstate = 0x43  // C
        case messagePrimary = 0x4d  // M
        /// PG_DIAG_SEVERITY_NONLOCALIZED, which is never translated.
        case severity = 0x56  // V
        case constraintName = 0x6e  // n
    }

    private func field(_ field: Field) -> String? {
        PQresultErrorField(result, CInt(field.rawValue)).map { String(cString: $0) }
    }
}
