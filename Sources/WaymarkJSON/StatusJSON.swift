// SPDX-License-Identifier: Apache-2.0

package import WaymarkClient

/// Writes `query storage`, with null for a service that did not report.
extension StatusReport: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.object("query", query)
        writer.object("storage", storage)
    }
}

extension QueryStatus: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("version", version)
        writer.field("run", run?.description)
        writer.field("ready", isReady)
        writer.field("epoch", epoch?.description)
        writer.field("rev", rev)
        writer.field("lag", lag)
        writer.field("landmarks", landmarks)
        writer.field("uptime_ms", uptime)
        writer.field("storage_away", isStorageAway)
        writer.field("age_ms", age)
        writer.field("storage_endpoint", storageEndpoint)
        writer.field("changes_endpoint", changesEndpoint)
        writer.array("problems", problems)
        writer.array("remarks", remarks)
        writer.counters(counters)
    }
}

extension StorageStatus: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("version", version)
        writer.field("epoch", epoch?.description)
        writer.field("run", run?.description)
        writer.field("head", head)
        writer.field("floor", floor)
        writer.field("landmarks", landmarks)
        writer.field("uptime_ms", uptime)
        writer.field("database_bytes", databaseBytes)
        writer.field("search_rev", searchRev)
        writer.field("changes_endpoint", changesEndpoint)
        writer.counters(counters)
    }
}

extension JSONWriter {
    fileprivate mutating func counters(_ counters: [ServiceCounter]) {
        object("counters") { writer in
            for counter in counters { writer.field(counter.name, counter.value) }
        }
    }
}
