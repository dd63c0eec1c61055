// SPDX-License-Identifier: Apache-2.0

public import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

extension QueryServer {
    /// Ready as soon as the replica has caught up with storage for the first time. From then on the service answers
    /// from its replica, however old that is, and reports the age.
    public func health() -> HealthReport {
        var report = HealthReport()
        if work.isRefusing { report.problems.append("The service is stopping.") }
        if let halted = state.halted { report.problems.append(halted.message) }
        if !state.isServing {
            report.problems.append(notLoaded)
        } else if isStorageAway {
            report.remarks.append(
                "Storage at \(options.storage) does not answer: reads are answered from the replica, which is "
                    + "\(age) ms old, and writes are refused.")
        } else if state.isFeedLost {
            report.remarks.append("The feed of changes is silent: the replica is \(age) ms old.")
        }
        if state.isServing, let trouble = loading?.trouble {
            report.remarks.append("The landmarks cannot be reloaded: \(trouble)")
        }
        return report
    }

    private var notLoaded: String {
        guard storage?.isConnected == true else {
            return "The landmarks are not loaded yet: storage at \(options.storage) does not answer."
        }
        if let trouble = load.progress.trouble { return "The landmarks are not loaded yet: \(trouble)" }
        guard load.progress.total > 0 else { return "The landmarks are not loaded yet." }
        return "The landmarks are not loaded yet: \(load.progress.landmarks) of \(load.progress.total) have been read."
    }
}
