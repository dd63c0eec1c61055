// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Ingest

/// The options for the path of a source's rows, and for the fields from which a landmark is made. A path may lead into
/// objects and lists: `data.items`, `types.0`.
struct MappingOptions: ParsableArguments {
    @Option(.text("path"), "The path of the list of rows, such as data.items. (default: the body is the list)")
    var rows: String?

    @OptionGroup var fields: FieldOptions

    /// - Parameter name: the name of a format; nil if the person gave none.
    func format(_ name: String?) throws(BadValue) -> SourceFormat { try fields.format(name, rows: rows) }
}
