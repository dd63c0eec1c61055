// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import WaymarkClient
import WaymarkJSON

/// Prints the result of a query page by page. JSON is printed at once; a table is printed when all its rows are known.
struct HitPrinter {
    let output: Output
    let form: HitForm
    private var table: HitTable
    /// The document that has begun, of a form that is one.
    private var document: ListDocument?
    private(set) var count = 0

    var isMeasured: Bool { table.isMeasured }

    /// - Parameter isMeasured: whether the hits have a distance and a bearing.
    init(_ output: Output, as form: HitForm, isMeasured: Bool, unit: DistanceUnit? = nil) {
        (self.output, self.form) = (output, form)
        table = HitTable(output, isMeasured: isMeasured, unit: unit)
    }

    /// - Parameter moment: the moment, in Unix milliseconds, at which the hits have the given opening state; nil if
    ///   opening hours were not asked for.
    mutating func print(_ hits: some Sequence<Hit>, openingAt moment: UInt64? = nil) throws(SinkError) {
        for hit in hits {
            count += 1
            if form == .text {
                table.add(hit, openingAt: moment)
                continue
            }
            guard var document = document ?? begun(tellsOpening: moment != nil) else {
                try output.object {
                    $0.fields(hit, isMeasured: table.isMeasured, tellsOpening: moment != nil)
                }
                continue
            }
            hit.withView { document.add($0) }
            try output.out.write(document.bytes)
            document.bytes.removeAll(keepingCapacity: true)
            self.document = document
        }
    }

    /// Returns a document of the form; nil if the form is none.
    private func begun(tellsOpening: Bool = false) -> ListDocument? {
        ListForm(rawValue: form.rawValue).map {
            ListDocument($0, isMeasured: table.isMeasured, tellsOpening: tellsOpening)
        }
    }

    /// Prints the table so far; the next rows begin a new table with its own header. Called for each page of a complete
    /// list, because one table for the whole list would grow without bound.
    mutating func endTable() throws(SinkError) {
        guard !table.table.isEmpty else { return }
        try output.table(table.table)
        // The notices about time zones are kept and printed at the end.
        table.table.removeRows()
    }

    /// - Parameters:
    ///   - cursor: the cursor of the next page; nil after the last page.
    ///   - showsCursor: whether to print the cursor as a last object on stdout, for programs; null after the last page.
    ///   - nothing: the message if nothing was found.
    mutating func finish(cursor: Data?, showsCursor: Bool, nothing: String? = nil) throws(SinkError) {
        let text = cursor?.base64URL
        switch form {
        case .text: try endTable()
        case .json where showsCursor:
            try output.object { $0.field("cursor", text) }
            return
        case .json: break
        case .geojson, .kml, .gpx, .csv:
            if let document = document ?? begun() { try output.out.write(document.bytes + document.end()) }
        }
        if form == .text, !table.assumedZones.isEmpty {
            let zones = table.assumedZones.sorted().prefix(3).joined(separator: ", ")
            output.notice("zone", "Opening hours are read in an assumed time zone: \(zones).")
        }
        if form == .text, table.lacksZone {
            output.notice(
                "no_zone",
                "Opening hours are unknown where no town is near enough to give the time zone: set places.zone in "
                    + "query.yaml.")
        }
        if count == 0, form == .text { output.notice("none", nothing ?? "No landmarks were found.") }
        if let text {
            output.notice("more", "There are more landmarks: print all with --all, or continue with --after \(text)") {
                $0.field("cursor", text)
            }
        }
    }
}

enum HitForm: String, CaseIterable, Sendable {
    case text, json, geojson, kml, gpx, csv
}
