// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Logging
import WaymarkTransport

/// The known state of the disk, from the engine's condition, from failed commits, and from a probe that writes a file.
struct DiskHealth {
    /// The number of milliseconds after which a failed commit no longer counts and only the probe tells, because the
    /// disk may have been repaired while nobody wrote.
    private static let memory: UInt64 = 10_000

    /// The probe; nil if the database is in memory.
    let probe: DiskProbe?
    /// The last commit that failed because of the disk, with the time in milliseconds on the monotonic clock; nil if a
    /// later commit has succeeded.
    private var trouble: (sentence: String, at: UInt64)?
    /// The name of the condition that was logged last.
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

    /// Logs when writing stops and when it goes on, once each, however many writes are refused in between.
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

    /// Returns the problem of the disk in one sentence; nil if none is known without using the probe.
    func problem(_ condition: EngineCondition?) -> String? {
        if let problem = condition?.problem { return problem }
        guard let trouble, Monotonic.milliseconds - trouble.at < Self.memory else { return nil }
        return trouble.sentence
    }
}
