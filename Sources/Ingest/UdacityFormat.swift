// SPDX-License-Identifier: Apache-2.0

import JSON

/// Reads the format of Udacity: `{"results": [{"objectId", "mapString", "latitude", "longitude", "mediaURL",
/// "firstName", …}]}`.
///
/// The landmark is the place, so its name is `mapString`. The student's name is used only if `mapString` is blank. The
/// key is `objectId`, because a student (`uniqueKey`) may have several rows.
enum UdacityFormat {
    static func rows(in document: SourceDocument) throws(SourceFormatError) -> SourceRows {
        var collector = RowCollector(
            document, list: "results",
            namelessReason: "The row has no name: mapString, firstName and lastName are missing.")
        collector.add(try document.list("results")) { result in
            RawRow(
                id: result["objectId"]?.text, name: result["mapString"]?.text ?? person(result),
                latitude: result["latitude"], longitude: result["longitude"],
                attributes: [(.link, result["mediaURL"])])
        }
        return collector.finish(format: "udacity")
    }

    private static func person(_ result: JSONValue) -> String? {
        let names = [result["firstName"]?.text, result["lastName"]?.text].compactMap(\.self)
        return names.isEmpty ? nil : names.joined(separator: " ")
    }
}
