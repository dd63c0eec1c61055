// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import SQLite

extension EngineError {
    /// Converts an error of a database, or of reading a value, to an error of the engine.
    init(_ error: any Error) {
        switch error {
        case let error as EngineError: self = error
        case let error as DatabaseError: self.init(error)
        case let error as RowError: self = .corrupted(error.description)
        case let error as PostgreSQLError: self.init(error)
        case let error as ColumnError: self = .corrupted("\(error)")
        case let error as InvalidInput: self = .corrupted(error.description)
        default: self = .io("\(error)")
        }
    }

    private init(_ error: DatabaseError) {
        switch error.resultCode {
        case _ where error == .closed: self = .closed
        case .full: self = .full
        case _ where error.extendedResultCode == .noRoomForIndex: self = .full
        case .corrupt, .notADatabase: self = .corrupted(error.message)
        default: self = .io("\(error.extendedResultCode): \(error.message)")
        }
    }

    /// Whether the error concerns one command and leaves the transaction around it intact.
    ///
    /// After any other error SQLite may have rolled back the whole transaction.
    static func isOfOneCommand(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError:
            switch error.resultCode {
            case .constraint, .mismatch, .tooBig, .range, .error: true
            default: false
            }
        case let error as PostgreSQLError: isOfOneCommand(error)
        case let error as EngineError: ![.superseded, .closed, .undecided].contains(error)
        case is RowError, is ColumnError, is InvalidInput: true
        default: false
        }
    }
}
