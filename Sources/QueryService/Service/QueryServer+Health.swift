// SPDX-License-Identifier: Apache-2.0

public import ServiceHost
import WaymarkTransport

extension QueryServer {
    /// Ready from the moment on that the replica has come up with storage for the first time. Afterwards it answers
    /// from its replica, however old that is, and says so.
    public func health() -> HealthReport {
        var report = HealthReport()
        if isRefusing { report.problems.append("The service is stopping.") }
        if !isReady {
            let isConnected = storage?.isConnected == true
            report.problems.append(
                isConnected
                    ? "The landmarks are not loaded yet."
                    : "The landmarks are not loaded yet: storage at \(options.storage) does not answer.")
        } else if isStorageAway {
            report.remarks.append(
                "Storage at \(options.storage) does not answer: questions are answered from the replica, which is "
                    + "\(age) ms old, and writes are refused.")
        } else if isFeedLost {
            report.remarks.append("The feed of changes is silent: the replica is \(age) ms old.")
        }
        return report
    }
}
