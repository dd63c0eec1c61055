// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// An error of a database, or of reading a value from it. Each database converts its own errors to `EngineError`.
package protocol DatabaseFailure: Error {
    var engineError: EngineError { get }
    /// Whether the error concerns one command only, so that rolling back to the savepoint before it is enough.
    var isOfOneCommand: Bool { get }
}

extension EngineError {
    /// Converts an error of a database, or of reading a value from it, to an error of the engine.
    package init(_ error: any Error) {
        switch error {
        case let error as EngineError: self = error
        case let error as any DatabaseFailure: self = error.engineError
        case let error as InvalidInput: self = .corrupted(error.description)
        default: self = .io("\(error)")
        }
    }

    /// Makes the error of a database to which migrations were applied that this release does not know; nil if there are
    /// none. A name comes from the database and will be logged, so only the visible characters of ASCII are kept.
    ///
    /// - Parameter known: the names of all migrations that this release knows, in their order.
    package init?(applied: Set<String>, known: [String], path: String) {
        guard let unknown = applied.subtracting(known).min() else { return nil }
        let visible = unknown.utf8.filter { (0x20...0x7e).contains($0) }
        self = .newerSchema(
            path: path, found: String(decoding: visible.prefix(64), as: UTF8.self), known: known.last ?? "")
    }

    /// Whether the error concerns one command only and leaves the open transaction intact.
    ///
    /// After any other error SQLite may have rolled back the whole transaction.
    package static func isOfOneCommand(_ error: any Error) -> Bool {
        switch error {
        case let error as EngineError: ![.superseded, .closed, .undecided].contains(error)
        case let error as any DatabaseFailure: error.isOfOneCommand
        case is InvalidInput: true
        default: false
        }
    }
}
