// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Ingest
import Landmarks

/// A given data set for services of one's own, named as `waymark ingest` names it.
///
/// But for `--data-rows`: `--rows` is what `bench ingest` sends.
struct BenchDataOptions: ParsableArguments {
    /// Bytes of the largest file.
    private static let mostBytes = 1 << 30

    @Option(
        help: ArgumentHelp(
            "With --embedded: fill the services with this instead of generated landmarks. Example: --embedded --data "
                + "airports.json.", valueName: "file|url"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "How --data is written: \(SourceFormat.names.joined(separator: ", ")). Example: --format geojson. (default: "
                + "auto, told from its shape)", valueName: "format"))
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Where the list of rows stands in --data. Example: --data-rows data.items. (default: the body is the list)",
            valueName: "path"))
    var dataRows: String?

    @OptionGroup(title: "Fields of the format mapping") var fields: FieldOptions

    func validate() throws {
        do {
            let format = try fields.format(format, rows: dataRows)
            if let data {
                _ = try SourceLocation(data)
            } else if self.format != nil || format != .auto {
                throw BadValue("--format and the options for fields say how --data is written: give that too.")
            }
        } catch let error as any CustomStringConvertible {
            throw ValidationError(error.description)
        }
    }

    /// - Returns: nil when no data set was given.
    func read() async throws -> BenchData? {
        guard let data else { return nil }
        let request = FetchRequest(
            location: try SourceLocation(data), limits: FetchLimits(timeout: .seconds(60), maxBytes: Self.mostBytes))
        guard case .fetched(let body) = try await SourceFetcher().fetch(request) else {
            throw Failure(.failed, "fetch_failed", "The answer had no body although none was known before.")
        }
        let rows = try fields.format(format, rows: dataRows).rows(in: body.bytes)
        guard !rows.rows.isEmpty else {
            throw Failure(
                .failed, "embedded",
                "There is no landmark in \(data): see what waymark ingest --dry-run says of it.")
        }
        return BenchData(source: try LandmarkRules.source(SourceName.from(data)), rows: rows)
    }
}

/// A data set that was read.
struct BenchData: Sendable {
    let source: String
    let rows: SourceRows
}
