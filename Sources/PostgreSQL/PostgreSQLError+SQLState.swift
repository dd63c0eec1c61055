// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLError {
    /// An error report of the server (PostgreSQL's documentation, appendix A).
    struct Report {
        let sqlstate: String
        let message: String
        var constraint = ""
        /// Whether the severity is FATAL or PANIC, which end the session.
        var endsSession = false
    }

    /// - Parameter commitIsUnknown: whether a COMMIT is unanswered. Used only if the report ends the session.
    init(_ report: Report, commitIsUnknown: Bool) {
        let (state, message) = (report.sqlstate, report.message)
        switch state {
        case _ where report.endsSession || Self.isLost(state):
            self = .connectionLost(commitIsUnknown: commitIsUnknown, message: message)
        case "57014": self = .cancelled(message)
        case "23505": self = .uniqueViolation(constraint: report.constraint)
        case _ where state.hasPrefix("23"):
            self = .otherConstraint(sqlstate: state, constraint: report.constraint, message: message)
        case "40001": self = .serializationFailure(message)
        case "40P01": self = .deadlock(message)
        case "25006": self = .readOnly(message)
        case "53100": self = .diskFull(message)
        case "53300": self = .tooManyConnections(message)
        case "42P01": self = .undefinedTable(message)
        case "XX001", "XX002": self = .dataCorrupted(message)
        case _ where state.hasPrefix("28"): self = .authenticationFailed(message)
        default: self = .other(sqlstate: state, message: message)
        }
    }

    /// Whether the SQLSTATE means that the connection is lost: class 08 and 57P01 to 57P03. 08P01 means this only if it
    /// ends the session, because it also reports a value whose bytes do not fit its type, after which the connection
    /// still works.
    private static func isLost(_ state: String) -> Bool {
        state.hasPrefix("08") && state != "08P01" || ["57P01", "57P02", "57P03"].contains(state)
    }

    /// Makes the error for a report with which the server refused a connection.
    init(connecting report: Report) {
        switch report.sqlstate {
        case "53300": self = .tooManyConnections(report.message)
        case let state where state.hasPrefix("28"): self = .authenticationFailed(report.message)
        default: self = .cannotConnect(report.message)
        }
    }
}
