// SPDX-License-Identifier: Apache-2.0

/// A row of a file in the seed format.
struct ProcessRow {
    var name: String
    var lat: Double?
    var lng: Double?
    var kind: String?

    static func file(_ rows: [ProcessRow]) -> String {
        let texts = rows.map { row in
            var fields = ["\"name\":\"\(row.name)\""]
            if let lat = row.lat { fields.append("\"lat\":\(lat)") }
            if let lng = row.lng { fields.append("\"lng\":\(lng)") }
            if let kind = row.kind { fields.append("\"kind\":\"\(kind)\"") }
            return "{\(fields.joined(separator: ","))}"
        }
        return "{\"locations\":[\n\(texts.joined(separator: ",\n"))\n],\"updated\":\"2026-01-01T00:00:00Z\"}\n"
    }
}
