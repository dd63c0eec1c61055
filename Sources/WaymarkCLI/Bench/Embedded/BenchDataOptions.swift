// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Ingest
import Landmarks

/// A data set for services that this command starts. The options have the same names as those of `waymark ingest`,
/// except `--data-rows`, because `bench ingest` already has `--rows`.
struct BenchDataOptions: ParsableArguments {
    /// The maximum file size in bytes.
    private static let mostBytes = 1 << 30

    @Option(
        .text("file|url"),
        "With --embedded: data to load instead of generated landmarks. Example: --embedded --data airports.json.")
    var data: String?

    @Option(
        .text("format"),
        "The format of --data: \(SourceFormat.names.joined(separator: ", ")). Example: --format geojson. (default: "
            + "auto, recognised by its contents)")
    var format: String?

    @Option(
        .text("path"),
        "The path of the list of rows in --data. Example: --data-rows data.items. (default: the body is the list)")
    var dataRows: String?

    @OptionGroup(title: "Fields of the format mapping") var fields: FieldOptions

    func validate() throws {
        try checked {
            let format = try fields.format(format, rows: dataRows)
            if let data {
                _ = try SourceLocation(data)
            } else if self.format != nil || format != .auto {
                throw BadValue("--format and the field options describe --data: give --data too.")
            }
        }
    }

    /// - Returns: the data set; nil if the person gave none.
    func read() async throws -> IngestRun? {
        guard let data else { return nil }
        let request = FetchRequest(
            location: try SourceLocation(data), limits: FetchLimits(timeout: .seconds(60), maxBytes: Self.mostBytes))
        guard case .fetched(let body) = try await SourceFetcher().fetch(request) else {
            throw Failure(
                .failed, "fetch_failed",
                "The server answered that nothing has changed, although nothing was fetched before: try again.")
        }
        let rows = try fields.format(format, rows: dataRows).rows(in: body.bytes)
        guard !rows.rows.isEmpty else {
            throw Failure(
                .failed, "embedded",
                "There is no landmark in \(data): try waymark ingest --dry-run to see why.")
        }
        return IngestRun(source: try LandmarkRules.source(SourceName.from(data)), rows: rows, vanished: .keep)
    }
}
