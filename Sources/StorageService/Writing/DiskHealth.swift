// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Logging
import WaymarkTransport

/// What is known of the disk: from the engine's condition, from commits that failed, and from a probe that writes.
struct DiskHealth {
    /// Milliseconds after which only the disk itself is asked: it may have been mended while nobody wrote.
    private static let memory: UInt64 = 10_000

    /// Nil for a database in memory.
    let probe: DiskProbe?
    /// A commit that failed because of the disk, and that no successful one has followed; when, on the monotonic clock in
    /// milliseconds.
    private var trouble: (sentence: String, at: UInt64)?
    /// The name of the condition that the log named last.
    private var logged = EngineCondition.writable.name

    init(probe: DiskProbe? = nil) { self.probe = probe }

    mutating func succeeded() { trouble = nil }

    mutating func failed(_ error: EngineError) {
        switch error {
        case .full: trouble = ("A write has failed because the disk is full: make room.", Monotonic.milliseconds)
        case .io, .corrupted: trouble = ("A write has failed: \(error)", Monotonic.milliseconds)
        default: break
        }
    }

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
        guard let trouble, Monotonic.milliseconds - trouble.at < Self.memory else { return nil }
        return trouble.sentence
    }
}
