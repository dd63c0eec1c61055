// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Ingest

/// Which fields of the rows are a landmark's. Names may lead into objects and lists: `types.0`.
struct FieldOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The name. Needed. Example: --name-field title.", valueName: "path"))
    var nameField: String?

    @Option(
        help: ArgumentHelp(
            "The latitude in degrees. Needed unless there is --wkt-field. "
                + "Example: --lat-field pos.lat.", valueName: "path"))
    var latField: String?

    @Option(
        help: ArgumentHelp(
            "The longitude in degrees. Needed unless there is --wkt-field. "
                + "Example: --lng-field pos.lng.", valueName: "path"))
    var lngField: String?

    @Option(
        help: ArgumentHelp(
            "The position as well-known text: Point(151.2153 -33.8568). "
                + "Example: --wkt-field coord.", valueName: "path"))
    var wktField: String?

    @Option(
        help: ArgumentHelp(
            "What identifies a row. "
                + "Example: --key-field id. (default: name and position)", valueName: "path"))
    var keyField: String?

    @Option(
        help: ArgumentHelp(
            "The kind, or one for all rows with an equals sign. Example: --kind-field =beach. (default: none)",
            valueName: "path"))
    var kindField: String?

    @Option(help: ArgumentHelp("The link. Example: --link-field url. (default: none)", valueName: "path"))
    var linkField: String?

    @Option(
        help: ArgumentHelp(
            "The rating, 0 to 5. "
                + "Example: --rating-field stars. (default: none)", valueName: "path"))
    var ratingField: String?

    private var isGiven: Bool {
        [nameField, latField, lngField, wktField, keyField, kindField, linkField, ratingField].contains { $0 != nil }
    }

    /// The format that was asked for: one by its name, or a mapping as soon as a field is named.
    ///
    /// - Parameter rows: where the list of rows stands.
    func format(_ given: String?, rows: String?) throws(BadValue) -> SourceFormat {
        let isMapped = isGiven || rows != nil
        let name = given ?? (isMapped ? "mapping" : "auto")
        if name != "mapping", isMapped {
            throw BadValue(
                "The options for fields are for the format mapping: leave them out, or give --format mapping.")
        }
        guard let format = SourceFormat(name: name, mapping: name == "mapping" ? try mapping(rows) : nil) else {
            throw BadValue("The format \(name) is unknown: name one of \(SourceFormat.names.joined(separator: ", ")).")
        }
        return format
    }

    private func mapping(_ rows: String?) throws(BadValue) -> FieldMapping {
        do throws(FieldMappingError) {
            return try FieldMapping(
                rows: rows, name: nameField, lat: latField, lng: lngField, wkt: wktField, key: keyField,
                kind: kindField, link: linkField, rating: ratingField)
        } catch {
            switch error {
            case .missing(let field): throw BadValue("The format mapping needs --\(field)-field.")
            case .twoPositions:
                throw BadValue("The position is --wkt-field, or --lat-field and --lng-field: not both.")
            }
        }
    }
}
