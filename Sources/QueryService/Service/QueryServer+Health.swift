// SPDX-License-Identifier: Apache-2.0

public import ServiceHost

extension QueryServer {
    private static let stopping = "The service is stopping."

    /// Returns the health of the service. It is ready as soon as the replica has caught up with storage for the first
    /// time. From then on it answers from the replica, however old, and reports the replica's age.
    public func health() -> HealthReport {
        guard let running else { return HealthReport(problems: [Self.stopping]) }
        var report = HealthReport()
        let (link, sync) = (running.link, running.sync)
        if running.answers.isRefusing { report.problems.append(Self.stopping) }
        if let halted = sync.state.halted { report.problems.append(halted.message) }
        if let problem = link.keyProblem { report.problems.append(problem) }
        if let problem = running.gate?.problem { report.problems.append(problem) }
        if !sync.state.isServing {
            report.problems.append(notLoaded(link, sync))
        } else if link.isAway {
            report.remarks.append(
                "Storage at \(options.storageNames) does not answer: reads are answered from the replica, which is "
                    + "\(sync.age) ms old, and writes are refused.")
        } else if sync.state.isFeedLost {
            report.remarks.append("The feed of changes is silent: the replica is \(sync.age) ms old.")
        }
        if let region = options.region {
            report.remarks.append(
                "This query service holds only \(region.name), and refuses questions that need others.")
        }
        if sync.state.isServing, let relay = sync.relay, relay.relay.isSilent {
            report.remarks.append(
                "The relay is silent until storage's feed is followed again: its subscribers are told that it is away.")
        }
        if let problem = running.reads.fallback.problem { report.remarks.append(problem) }
        if sync.state.isServing, let trouble = loading?.trouble {
            report.remarks.append("The landmarks cannot be reloaded: \(trouble)")
        }
        return report
    }

    private func notLoaded(_ link: StorageLink, _ sync: ReplicaSync) -> String {
        guard link.isConnected else {
            let cause = link.channel?.lastFailure.map { " (\($0))" } ?? ""
            let what = link.state.epoch == nil ? "was never reached" : "does not answer"
            return "The landmarks are not loaded yet: storage at \(options.storageNames) \(what)\(cause). Start it, or "
                + "correct the setting storage; until then reads are refused."
        }
        if let trouble = sync.load.progress.trouble { return "The landmarks are not loaded yet: \(trouble)" }
        guard sync.load.progress.total > 0 else { return "The landmarks are not loaded yet." }
        return
            "The landmarks are not loaded yet: \(sync.load.progress.landmarks) of \(sync.load.progress.total) have been read."
    }
}
