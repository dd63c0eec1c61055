// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient

struct StatusCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "status",
        abstract: "Print the state of both services: epoch, revision, lag.",
        discussion: """
              waymark status
              waymark status -o json | jq .query.lag

            The exit code is 3 if storage is down or the landmarks are still being loaded, and 1 if writes are refused.
            """)

    @Flag(help: "Also print the counters of both services; JSON always has them.")
    var counters = false

    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let report = try await session.client.status()
        let block = StatusBlock(report, session.endpoint, showsCounters: counters, painter: session.output.painter)
        try session.output.result(block.lines.joined(separator: "\n")) { $0.fields(report) }
        if let failure = report.failure { throw failure }
    }
}

extension QueryStatus {
    /// Whether the service has loaded its landmarks since it started. Even an empty collection has an epoch.
    var hasLandmarks: Bool { epoch != nil }
}

extension StorageStatus {
    /// Whether storage reports that it refuses writes because its disk is full or failing.
    var refusesWrites: Bool { counters.contains { $0.name == "writes_refused_by_disk" && $0.value > 0 } }
}

extension StatusReport {
    /// The reason why the services cannot do their work; nil if they can.
    fileprivate var failure: Failure? {
        if let query, storage == nil, !query.isStorageAway {
            return Failure(ErrorCode.busy.name, "Storage did not report its status in time: try again in a moment.")
        }
        if let query, query.isStorageAway {
            let reads =
                query.hasLandmarks
                ? "reads are answered from the replica, and writes are refused"
                : "no landmarks are loaded, and reads are refused as well as writes"
            return Failure(
                ExitStatus(.unavailable), "storage_away",
                "Storage does not answer: \(reads). Start storage, or look at its log.")
        }
        if let query, !query.isReady {
            return Failure(
                ExitStatus(.unavailable), "not_ready", "The landmarks are still being loaded: try again in a moment.")
        }
        guard storage?.refusesWrites == true else { return nil }
        return Failure(
            ErrorCode.storageFull.name,
            "Storage refuses every write because its disk is full or failing: free some space, or look at its log.")
    }
}
