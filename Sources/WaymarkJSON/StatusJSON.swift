// SPDX-License-Identifier: Apache-2.0

package import WaymarkClient

extension JSONWriter {
    /// `query storage`: null for a service that did not report.
    package mutating func fields(_ report: StatusReport) {
        key("query")
        if let query = report.query { object { $0.fields(query) } } else { null() }
        key("storage")
        if let storage = report.storage { object { $0.fields(storage) } } else { null() }
    }

    private mutating func fields(_ query: QueryStatus) {
        field("version", query.version)
        field("run", query.run?.description)
        field("ready", query.isReady)
        field("epoch", query.epoch?.description)
        field("rev", query.rev)
        field("lag", query.lag)
        field("landmarks", query.landmarks)
        field("uptime_ms", query.uptime)
        field("storage_away", query.isStorageAway)
        field("age_ms", query.age)
        field("storage_endpoint", query.storageEndpoint)
        field("changes_endpoint", query.changesEndpoint)
        key("problems")
        array(query.problems) { $0.value($1) }
        key("remarks")
        array(query.remarks) { $0.value($1) }
        counters(query.counters)
    }

    private mutating func fields(_ storage: StorageStatus) {
        field("version", storage.version)
        field("epoch", storage.epoch?.description)
        field("run", storage.run?.description)
        field("head", storage.head)
        field("floor", storage.floor)
        field("landmarks", storage.landmarks)
        field("uptime_ms", storage.uptime)
        field("database_bytes", storage.databaseBytes)
        field("search_rev", storage.searchRev)
        field("changes_endpoint", storage.changesEndpoint)
        counters(storage.counters)
    }

    private mutating func counters(_ counters: [ServiceCounter]) {
        key("counters")
        object { writer in
            for counter in counters { writer.field(counter.name, counter.value) }
        }
    }
}
