// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Reads the seed format: `{"locations": [{"name", "lat", "lng"}], "updated"}`.
enum SeedFormat {
    static func rows(in document: SourceDocument) throws(SourceFormatError) -> SourceRows {
        var collector = RowCollector(document, list: "locations", namelessReason: "The row has no name.")
        collector.add(try document.list("locations")) { location in
            RawRow(
                id: location["id"]?.text, name: location["name"]?.text, latitude: location["lat"],
                longitude: location["lng"], attributes: Attribute.allCases.map { ($0, location[$0.rawValue]) })
        }
        return collector.finish(format: "seed")
    }
}
