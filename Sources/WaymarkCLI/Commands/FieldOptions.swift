// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Ingest

/// The options for the fields of a row from which its landmark is made. A path may lead into objects and lists:
/// `types.0`.
struct FieldOptions: ParsableArguments {
    @Option(.text("path"), "The landmark's name. Required. Example: --name-field title.")
    var nameField: String?

    @Option(
        .text("path"), "The latitude in degrees. Required unless --wkt-field is given. Example: --lat-field pos.lat.")
    var latField: String?

    @Option(
        .text("path"), "The longitude in degrees. Required unless --wkt-field is given. Example: --lng-field pos.lng.")
    var lngField: String?

    @Option(
        .text("path"),
        "The position in one field: Point(151.2153 -33.8568), or -33.8568,151.2153. Example: --wkt-field coord.")
    var wktField: String?

    @Option(.text("path"), "The field that identifies a row. Example: --key-field id. (default: name and position)")
    var keyField: String?

    @OptionGroup var attributes: AttributeFieldOptions

    private var isGiven: Bool {
        [nameField, latField, lngField, wktField, keyField].contains { $0 != nil }
            || attributes.given.values.contains { $0 != nil }
    }

    /// Returns the named format, or a mapping if the person named any field.
    ///
    /// - Parameter rows: the path of the list of rows.
    func format(_ given: String?, rows: String?) throws(BadValue) -> SourceFormat {
        let isMapped = isGiven || rows != nil
        let name = given ?? (isMapped ? "mapping" : "auto")
        if name != "mapping", isMapped {
            throw BadValue(
                "The field options need the format mapping: leave them out, or give --format mapping.")
        }
        return try SourceFormat(name: name, mapping: name == "mapping" ? try mapping(rows) : nil)
            .orBad("The format \(name) is unknown: name one of \(SourceFormat.names.joined(separator: ", ")).")
    }

    private func mapping(_ rows: String?) throws(BadValue) -> FieldMapping {
        do throws(FieldMappingError) {
            return try FieldMapping(
                rows: rows, name: nameField, lat: latField, lng: lngField, wkt: wktField, key: keyField,
                attributes: attributes.given)
        } catch {
            switch error {
            case .missing(let field): throw BadValue("The format mapping needs --\(field)-field.")
            case .twoPositions:
                throw BadValue("The position is either --wkt-field, or --lat-field and --lng-field.")
            }
        }
    }
}
