// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkClient
import WaymarkProtocol

struct StatusCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print how both services are: epoch, revision, lag.",
        discussion: """
              waymark status
              waymark status -o json | jq .query.lag
            """)

    @Flag(help: "Print what both services have counted too; JSON always has it.")
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
