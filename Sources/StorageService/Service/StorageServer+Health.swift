// SPDX-License-Identifier: Apache-2.0

import EngineParts
public import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

extension StorageServer {
    private static let stopping = "Storage is stopping."
    /// The problem that storage reports while it waits for another storage to end.
    public static let waiting = EngineCondition.waiting.problem ?? ""

    /// Reports whether storage is ready, that is, whether the database is open and the disk accepts a small file. May
    /// wait up to a second for the disk.
    public func health() async -> HealthReport {
        var problems: [String] = []
        if running == nil { problems.append(startProblem ?? "The database is not open.") }
        if running?.replies.isRefusing == true { problems.append(Self.stopping) }
        if let commits = running?.commits, let problem = commits.disk.problem(commits.executor.condition) {
            problems.append(problem)
        }
        if let problem = running?.gate.problem { problems.append(problem) }
        if let probe = running?.commits.disk.probe, let problem = await probe.problem() { problems.append(problem) }
        return HealthReport(problems: problems)
    }

    func answerHealth(_ address: ReplyAddress, _ running: RunningStorage) {
        let (replies, handlers) = (running.replies, running.handlers)
        guard !replies.isRefusing else {
            // A stop may leave no time to wait for the disk, so the answer does not wait.
            let report = HealthReport(problems: [Self.stopping])
            replies.answer(address, WireReply.with { $0.health = report.wire }.encoded)
            return
        }
        guard handlers.admission.beginHealth() else {
            replies.refuse(
                address, ServiceError(.busy, "Too many clients ask for health: ask again.", retryAfter: 1_000))
            return
        }
        Task {
            let report = await health()
            replies.answer(address, WireReply.with { $0.health = report.wire }.encoded)
            handlers.admission.endHealth()
        }
    }
}
