// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import StorageRules

extension PostgreSQLError: DatabaseFailure {
    package var engineError: EngineError {
        switch self {
        case .closed: .closed
        case .diskFull: .full
        case .dataCorrupted(let what): .corrupted(what)
        case .cannotConnect, .authenticationFailed, .connectionLost, .timedOut, .tooManyConnections, .readOnly,
            .cancelled:
            .unreachable("\(self)")
        case .parameter, .uniqueViolation, .otherConstraint, .other, .undefinedTable, .invalidURL, .noLibrary,
            .encodingIsNotUTF8, .serializationFailure, .deadlock, .pipelineAborted, .rolledBack:
            .io("\(self)")
        }
    }

    /// Whether the error was caused by the values that the command wanted to write.
    package var isOfOneCommand: Bool {
        switch self {
        case .parameter, .uniqueViolation, .otherConstraint: true
        // Class 22 is for invalid data. A division by zero comes only from ``WriterTerm``, never from a command.
        case .other(let state, _): state.hasPrefix("22") && state != "22012"
        default: false
        }
    }
}

extension ColumnError: DatabaseFailure {
    package var engineError: EngineError { .corrupted("\(self)") }
    package var isOfOneCommand: Bool { true }
}
