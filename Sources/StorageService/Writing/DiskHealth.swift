// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Logging
import StorageRules
import WaymarkTransport

/// The last commit that failed because of the disk, until another one succeeds.
struct CommitTrouble {
    /// Milliseconds for which a failed commit counts as a problem. Later only the probe tells: the disk may have been
    /// mended while nobody wrote.
    static let memory: UInt64 = 10_000

    let sentence: String
    /// Time of the failure, in milliseconds on the monotonic clock.
    let at = Monotonic.milliseconds

    /// Records the failure of a commit; nil for an error that says nothing about the disk.
    init?(_ error: EngineError) {
        switch error {
        case .full: sentence = "A write has failed because the disk is full: make room."
        case .io, .corrupted: sentence = "A write has failed: \(error)"
        default: return nil
        }
    }

    var isRecent: Bool { Monotonic.milliseconds - at < Self.memory }
}

/// The disk's state as known from the engine's condition, from failed commits, and from a probe that writes.
struct DiskHealth {
    /// The probe of the data directory; nil for a database in memory.
    let probe: DiskProbe?
    private var trouble: CommitTrouble?
    /// The condition that was logged last, by name.
    private var logged = EngineCondition.writable.name

    init(probe: DiskProbe? = nil) { self.probe = probe }

    mutating func succeeded() { trouble = nil }

    mutating func failed(_ error: EngineError) { trouble = CommitTrouble(error) ?? trouble }

    /// Logs once that writing has stopped, and once that it goes on, however many writes are refused in between.
    mutating func notice(_ condition: EngineCondition, _ logger: Logger) {
        guard condition.name != logged else { return }
        if let problem = condition.problem {
            logger.error("writes are refused", metadata: ["disk": "\(condition.name)", "reason": "\(problem)"])
        } else {
            trouble = nil
            logger.notice("writes are accepted again", metadata: ["was": "\(logged)"])
        }
        logged = condition.name
    }

    /// The disk's problem in one sentence, as far as it is known without probing; nil if there is none.
    func problem(_ condition: EngineCondition?) -> String? {
        if let problem = condition?.problem { return problem }
        return trouble.flatMap { $0.isRecent ? $0.sentence : nil }
    }
}
