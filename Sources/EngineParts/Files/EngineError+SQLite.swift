// SPDX-License-Identifier: Apache-2.0

import SQLite

extension DatabaseError: DatabaseFailure {
    package var engineError: EngineError {
        switch resultCode {
        case _ where self == .closed: .closed
        case .full: .full
        case _ where extendedResultCode == .noRoomForIndex: .full
        case .corrupt, .notADatabase: .corrupted(message)
        default: .io("\(extendedResultCode): \(message)")
        }
    }

    package var isOfOneCommand: Bool {
        switch resultCode {
        case .constraint, .mismatch, .tooBig, .range, .error: true
        default: false
        }
    }
}

extension RowError: DatabaseFailure {
    package var engineError: EngineError { .corrupted(description) }
    package var isOfOneCommand: Bool { true }
}
