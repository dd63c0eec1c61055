// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
package import WaymarkProtocol

extension JSONWriter {
    /// `query storage`: null for a service that did not report.
    package mutating func fields(_ report: WireStatusReport) {
        key("query")
        if report.hasQuery { object { $0.fields(report.query) } } else { null() }
        key("storage")
        if report.hasStorage { object { $0.fields(report.storage) } } else { null() }
    }

    private mutating func fields(_ query: WireQueryStatus) {
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
        field("changes_endpoint", query.changesEndpoint)
        key("problems")
        array(query.problems) { $0.value($1) }
        key("remarks")
        array(query.remarks) { $0.value($1) }
        counters(query.counters)
    }

    private mutating func fields(_ storage: WireStorageStatus) {
        field("version", storage.version)
        field("epoch", UUIDv7(bytes: storage.epoch)?.description)
        field("run", UUIDv7(bytes: storage.run)?.description)
        field("head", storage.head)
        field("floor", storage.floor)
        field("landmarks", storage.landmarks)
        field("uptime_ms", storage.uptimeMs)
        field("database_bytes", storage.databaseBytes)
        field("search_rev", storage.searchRev)
        field("changes_endpoint", storage.changesEndpoint)
        counters(storage.counters)
    }

    private mutating func counters(_ counters: [WireCounter]) {
        key("counters")
        object { writer in
            for counter in counters { writer.field(counter.name, counter.value) }
        }
    }
}
