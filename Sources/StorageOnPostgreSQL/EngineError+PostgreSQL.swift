// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

extension EngineError {
    init(_ error: PostgreSQLError) {
        self =
            switch error {
            case .closed: .closed
            case .diskFull: .full
            case .dataCorrupted(let what): .corrupted(what)
            case .cannotConnect, .authenticationFailed, .connectionLost, .timedOut, .tooManyConnections, .readOnly,
                .cancelled:
                .unreachable("\(error)")
            case .parameter, .uniqueViolation, .otherConstraint, .other, .undefinedTable, .invalidURL,
                .encodingIsNotUTF8, .serializationFailure, .deadlock, .pipelineAborted, .rolledBack:
                .io("\(error)")
            }
    }

    /// Whether the error concerns one command: what it wanted to write cannot be written.
    static func isOfOneCommand(_ error: PostgreSQLError) -> Bool {
        switch error {
        case .parameter, .uniqueViolation, .otherConstraint: true
        // Class 22: data exceptions. The writer's own division by zero is none of a command.
        case .other(let state, _): state.hasPrefix("22") && state != "22012"
        default: false
        }
    }
}
