// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkClient
import WaymarkProtocol

struct StatusCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print the state of both services: epoch, revision, lag.",
        discussion: """
              waymark status
              waymark status -o json | jq .query.lag

            The exit code is 1 if a service cannot do its work: the landmarks are still being loaded, storage is \
            down, or writes are refused.
            """)

    @Flag(help: "Print the counters of both services too; JSON always has them.")
    var counters = false

    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: ConnectionOptions

    func run(in session: Session) async throws {
        let report = try await session.client.status()
        switch session.output.format {
        case .json:
            try session.output.object { writer in
                writer.key("query")
                if report.hasQuery { writer.object { $0.fields(report.query) } } else { writer.null() }
                writer.key("storage")
                if report.hasStorage { writer.object { $0.fields(report.storage) } } else { writer.null() }
            }
        case .text:
            let block = StatusBlock(
                report, session.endpoint, showsCounters: counters, painter: session.output.painter)
            try session.output.lines(block.lines)
        }
        if let failure = report.failure { throw failure }
    }
}

extension WireStatusReport {
    /// Whether storage reports that it refuses writes because of its disk.
    var refusesWrites: Bool {
        hasStorage && storage.counters.contains { $0.name == "writes_refused_by_disk" && $0.value > 0 }
    }

    /// Why the services cannot do their work; nil if they can.
    fileprivate var failure: Failure? {
        if hasQuery, !hasStorage, !query.storageAway {
            return Failure(
                .failed, ErrorCode.busy.name,
                "Storage did not report its status in time: try again in a moment.")
        }
        if hasQuery, query.storageAway {
            return Failure(
                .failed, "storage_away",
                "Storage does not answer: reads are answered from the replica, and writes are refused. Start "
                    + "storage, or look at its log.")
        }
        if hasQuery, !query.ready {
            return Failure(.failed, "not_ready", "The landmarks are still being loaded: try again in a moment.")
        }
        guard refusesWrites else { return nil }
        return Failure(
            .failed, ErrorCode.storageFull.name,
            "Storage refuses every write because its disk is full or failing: free some space, or look at its log.")
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ query: WireQueryStatus) {
        field("version", query.version)
        field("run", UUIDv7(bytes: query.run)?.description)
        field("ready", query.ready)
        field("epoch", UUIDv7(bytes: query.epoch)?.description)
        field("rev", query.rev)
        field("lag", query.lag)
        field("landmarks", query.landmarks)
        field("uptime_ms", query.uptimeMs)
        field("storage_away", query.storageAway)
        field("age_ms", UInt64(query.ageMs))
        field("storage_endpoint", query.storageEndpoint)
        key("problems")
        array(query.problems) { $0.value($1) }
        key("remarks")
        array(query.remarks) { $0.value($1) }
        counters(query.counters)
    }

    fileprivate mutating func fields(_ storage: WireStorageStatus) {
        field("version", storage.version)
        field("epoch", UUIDv7(bytes: storage.epoch)?.description)
        field("run", UUIDv7(bytes: storage.run)?.description)
        field("head", storage.head)
        field("floor", storage.floor)
        field("landmarks", storage.landmarks)
        field("uptime_ms", storage.uptimeMs)
        field("database_bytes", storage.databaseBytes)
        field("search_rev", storage.searchRev)
        counters(storage.counters)
    }

    private mutating func counters(_ counters: [WireCounter]) {
        key("counters")
        object { writer in
            for counter in counters { writer.field(counter.name, counter.value) }
        }
    }
}
