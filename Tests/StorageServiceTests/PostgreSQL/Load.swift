// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestPostgreSQL
import TestTurns
import Testing

/// The same piece of work again and again, on a thread of its own, until it is stopped or fails.
final class Load: Sendable {
    private final class Progress: Sendable {
        let isStopped = Atomic(false)
        let rounds = Atomic(0)
    }

    private let progress: Progress
    private let working: Background<Void>

    init(_ round: @escaping @Sendable () throws -> Void) {
        let progress = Progress()
        self.progress = progress
        working = Background {
            while !progress.isStopped.load(ordering: .relaxed) {
                try round()
                progress.rounds.add(1, ordering: .relaxed)
            }
        }
    }

    /// Waits for more rounds than there are by now.
    func goesOn(for rounds: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let before = progress.rounds.load(ordering: .relaxed)
        try blockUntil("there are \(rounds) rounds more", sourceLocation: sourceLocation) {
            progress.rounds.load(ordering: .relaxed) >= before + rounds
        }
    }

    /// - Throws: what the work has failed with.
    func stop() throws {
        progress.isStopped.store(true, ordering: .relaxed)
        try working.value()
    }
}
