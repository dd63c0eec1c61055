// SPDX-License-Identifier: Apache-2.0

public import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

extension StorageServer {
    private static let stopping = "Storage is stopping."
    /// The problem of a storage that waits to take over.
    public static let waiting = EngineCondition.waiting.problem ?? ""

    /// Reports ready if the database is open and the disk accepts a small file. It may wait a second for the disk.
    public func health() async -> HealthReport {
        var problems: [String] = []
        if lane == nil { problems.append(startProblem ?? "The database is not open.") }
        if admission.isStopping { problems.append(Self.stopping) }
        if let problem = disk.problem(lane?.condition) { problems.append(problem) }
        if (options.access?.handler ?? ownHandler)?.isRunning == false {
            problems.append("Nobody can connect any more: what decides about keys has ended. Start storage again.")
        }
        if let problem = await disk.probe?.problem() { problems.append(problem) }
        return HealthReport(problems: problems)
    }

    func answerHealth(_ address: ReplyAddress) {
        guard !admission.isStopping else {
            // There may be no time left to wait for the disk.
            let report = HealthReport(problems: [Self.stopping])
            answer(address, WireReply.with { $0.health = report.wire }.encoded)
            return
        }
        guard admission.beginHealth() else {
            refuse(address, ServiceError(.busy, "Too many clients ask for health: ask again.", retryAfter: 1_000))
            return
        }
        Task {
            let report = await health()
            answer(address, WireReply.with { $0.health = report.wire }.encoded)
            admission.endHealth()
        }
    }
}
