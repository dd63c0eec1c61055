// SPDX-License-Identifier: Apache-2.0

import GRDB
import Landmarks

extension EngineError {
    /// What an error from SQLite, or from reading what it holds, means above the port.
    init(_ error: any Error) {
        switch error {
        case let error as EngineError: self = error
        case let error as DatabaseError: self.init(error)
        case let error as InvalidInput: self = .corrupted(error.description)
        default: self = .io("\(error)")
        }
    }

    private init(_ error: DatabaseError) {
        switch error.resultCode {
        case .SQLITE_FULL: self = .full
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupted(error.message ?? "\(error.resultCode)")
        default: self = .io("\(error.extendedResultCode): \(error.message ?? "no reason given")")
        }
    }

    /// Whether it concerns one command and leaves the transaction around it sound.
    ///
    /// SQLite may already have rolled back the whole transaction at every other error.
    static func isOfOneCommand(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE, .SQLITE_ERROR: true
            default: false
            }
        case is EngineError, is InvalidInput: true
        default: false
        }
    }
}
