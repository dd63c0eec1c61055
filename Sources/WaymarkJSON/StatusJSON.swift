// SPDX-License-Identifier: Apache-2.0

package import JSON
internal import Landmarks
package import WaymarkProtocol

/// `query storage`: null for a service that did not report.
extension WireStatusReport: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.object("query", hasQuery ? query : nil)
        writer.object("storage", hasStorage ? storage : nil)
    }
}

extension WireQueryStatus: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("version", version)
        writer.field("run", UUIDv7(bytes: run)?.description)
        writer.field("ready", ready)
        writer.field("epoch", UUIDv7(bytes: epoch)?.description)
        writer.field("rev", rev)
        writer.field("lag", lag)
        writer.field("landmarks", landmarks)
        writer.field("uptime_ms", uptimeMs)
        writer.field("storage_away", storageAway)
        writer.field("age_ms", UInt64(ageMs))
        writer.field("storage_endpoint", storageEndpoint)
        writer.field("changes_endpoint", changesEndpoint)
        writer.array("problems", problems)
        writer.array("remarks", remarks)
        writer.counters(counters)
    }
}

extension WireStorageStatus: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("version", version)
        writer.field("epoch", UUIDv7(bytes: epoch)?.description)
        writer.field("run", UUIDv7(bytes: run)?.description)
        writer.field("head", head)
        writer.field("floor", floor)
        writer.field("landmarks", landmarks)
        writer.field("uptime_ms", uptimeMs)
        writer.field("database_bytes", databaseBytes)
        writer.field("search_rev", searchRev)
        writer.field("changes_endpoint", changesEndpoint)
        writer.counters(counters)
    }
}

extension JSONWriter {
    fileprivate mutating func counters(_ counters: [WireCounter]) {
        object("counters") { writer in
            for counter in counters { writer.field(counter.name, counter.value) }
        }
    }
}
