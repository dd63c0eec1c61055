// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Ingest

/// The place of a source's rows, and the fields that become a landmark's. A path may lead into objects and lists:
/// `data.items`, `types.0`.
struct MappingOptions: ParsableArguments {
    @Option(.text("path"), "The path of the list of rows, such as data.items. (default: the body is the list)")
    var rows: String?

    @OptionGroup var fields: FieldOptions

    /// - Parameter name: the name of a format; nil if none was given.
    func format(_ name: String?) throws(BadValue) -> SourceFormat { try fields.format(name, rows: rows) }
}
