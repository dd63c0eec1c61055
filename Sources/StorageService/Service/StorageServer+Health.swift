// SPDX-License-Identifier: Apache-2.0

import Logging
public import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// A commit that failed for the disk, and none has succeeded since.
struct CommitTrouble {
    /// Milliseconds after which only the disk itself is asked: it may have been mended while nobody wrote.
    static let memory: UInt64 = 10_000

    let sentence: String
    /// On the monotonic clock.
    let at = Monotonic.milliseconds

    /// Nil for an error that says nothing of the disk.
    init?(_ error: EngineError) {
        switch error {
        case .full: sentence = "A write has failed because the disk is full: make room."
        case .io, .corrupted: sentence = "A write has failed: \(error)"
        default: return nil
        }
    }

    var isRecent: Bool { Monotonic.milliseconds - at < Self.memory }
}

extension StorageServer {
    /// Asks that may wait for the disk at once; more are told to come back.
    private static let healthLimit = 64
    private static let stopping = "Storage is stopping."

    /// Ready with a database that is open and a disk that takes a small file; may wait a second for that.
    public func health() async -> HealthReport {
        var problems: [String] = []
        if engine == nil { problems.append("The database is not open.") }
        if isRefusing { problems.append(Self.stopping) }
        if let trouble = commitTrouble, trouble.isRecent { problems.append(trouble.sentence) }
        if let problem = await probe?.problem() { problems.append(problem) }
        return HealthReport(problems: problems)
    }

    func answerHealth(_ address: ReplyAddress) {
        guard !isRefusing else {
            // There may be no time left to wait for the disk.
            let report = HealthReport(problems: [Self.stopping])
            answer(address, WireReply.with { $0.health = report.wire }.encoded)
            return
        }
        guard healthQuestions < Self.healthLimit else {
            refuse(address, ServiceError(.busy, "Too many ask for health at once: ask again.", retryAfter: 1_000))
            return
        }
        healthQuestions += 1
        Task {
            let report = await health()
            answer(address, WireReply.with { $0.health = report.wire }.encoded)
            healthQuestions -= 1
        }
    }
}
