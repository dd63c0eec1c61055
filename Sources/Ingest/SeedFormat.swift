// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

/// `{"locations": [{"name", "lat", "lng"}], "updated"}`.
enum SeedFormat {
    static func rows(in root: JSONValue) throws(SourceFormatError) -> SourceRows {
        guard let locations = root["locations"]?.elements else {
            throw .wrongShape(expected: "an object with a list named locations", found: root.summary)
        }
        var collector = RowCollector(list: "locations", namelessReason: "It has no name.")
        for (index, location) in locations.enumerated() {
            collector.add(
                RawRow(
                    id: location["id"]?.text, name: location["name"]?.text, latitude: location["lat"],
                    longitude: location["lng"], attributes: Attribute.allCases.map { ($0, location[$0.rawValue]) }),
                at: index)
        }
        return collector.finish(format: "seed")
    }
}
