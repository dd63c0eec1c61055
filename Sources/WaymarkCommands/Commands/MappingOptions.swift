// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Ingest

/// Which fields of the rows are a landmark's. Names may lead into objects and lists: `data.items`, `types.0`.
struct MappingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the list of rows stands, such as data.items. (default: the body is the list)", valueName: "path"))
    var rows: String?

    @Option(help: ArgumentHelp("The name. Needed.", valueName: "path"))
    var nameField: String?

    @Option(help: ArgumentHelp("The latitude in degrees. Needed unless there is --wkt-field.", valueName: "path"))
    var latField: String?

    @Option(help: ArgumentHelp("The longitude in degrees. Needed unless there is --wkt-field.", valueName: "path"))
    var lngField: String?

    @Option(help: ArgumentHelp("The position as well-known text: Point(151.2153 -33.8568).", valueName: "path"))
    var wktField: String?

    @Option(help: ArgumentHelp("What identifies a row. (default: name and position)", valueName: "path"))
    var keyField: String?

    @Option(
        help: ArgumentHelp(
            "The kind, or one for all rows with an equals sign: =beach. (default: none)", valueName: "path"))
    var kindField: String?

    @Option(help: ArgumentHelp("The link. (default: none)", valueName: "path"))
    var linkField: String?

    @Option(help: ArgumentHelp("The rating, 0 to 5. (default: none)", valueName: "path"))
    var ratingField: String?

    var isGiven: Bool {
        [rows, nameField, latField, lngField, wktField, keyField, kindField, linkField, ratingField].contains {
            $0 != nil
        }
    }

    func value() throws(BadValue) -> FieldMapping {
        do throws(FieldMappingError) {
            return try FieldMapping(
                rows: rows, name: nameField, lat: latField, lng: lngField, wkt: wktField, key: keyField,
                kind: kindField,
                link: linkField, rating: ratingField)
        } catch {
            switch error {
            case .missing(let field): throw BadValue("The format mapping needs --\(field)-field.")
            case .twoPositions:
                throw BadValue("The position is --wkt-field, or --lat-field and --lng-field: not both.")
            }
        }
    }
}
