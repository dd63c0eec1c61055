// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Ingest
import Landmarks
import WaymarkProtocol

/// Options for the service to test, and the user. The options for a data set have the same names as those of `waymark
/// ingest`, except `--data-rows`, because `bench ingest` already has `--rows`.
struct BenchTargetOptions: ParsableArguments {
    @OptionGroup var service: TargetOptions

    @Option(.time, "How long to wait for an answer before it counts as failed. Example: --timeout 500ms. (default: 5s)")
    var timeout: Duration?

    @Flag(help: "Start both services in a temporary directory for this test. Example: --embedded --landmarks 1M.")
    var embedded = false

    @Option(
        .quantity,
        "With --embedded: landmarks to generate, clustered like cities. Example: --landmarks 1M. (default: 10k)")
    var landmarks: Int?

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

    static let defaultLandmarks = 10_000
    /// The maximum size of the data in bytes.
    private static let mostBytes = 1 << 30

    var parameters: [String: String] {
        guard embedded else { return [:] }
        return data.map { ["data": $0] } ?? ["landmarks": "\(landmarks ?? Self.defaultLandmarks)"]
    }

    func validate() throws {
        try checked {
            let mapped = try fields.format(format, rows: dataRows)
            if let data {
                _ = try SourceLocation(data)
            } else if format != nil || mapped != .auto {
                throw BadValue("--format and the field options describe --data: give --data too.")
            }
        }
        try refuse(
            if: (landmarks != nil || data != nil) && !embedded,
            "--landmarks and --data fill services that this command starts: add --embedded.")
        try refuse(
            if: data != nil && landmarks != nil,
            "--landmarks generates data instead of reading --data: give one of them.")
        try refuse(if: (landmarks ?? 0) > 100_000_000, "--landmarks is at most 100M.")
        try refuse(if: embedded && service.connect != nil, "--embedded starts its own services: leave --connect out.")
    }

    /// The time limit for one answer, at most the protocol's own, because services never keep a request longer.
    var requestTimeout: Duration {
        min(
            timeout ?? .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds),
            .milliseconds(WaymarkProtocol.timeoutMilliseconds))
    }

    /// - Returns: the data set; nil if the person gave none.
    func rows() async throws -> IngestRun? {
        guard let data else { return nil }
        let limits = FetchLimits(timeout: .seconds(60), maxBytes: Self.mostBytes)
        let result = try await SourceFetcher().fetch(FetchRequest(location: try SourceLocation(data), limits: limits))
        guard case .fetched(let body) = result else { throw IngestFailure.unchanged }
        let rows = try fields.format(format, rows: dataRows).rows(in: body.bytes)
        guard !rows.rows.isEmpty else {
            throw Failure("embedded", "There is no landmark in \(data): try waymark ingest --dry-run to see why.")
        }
        return IngestRun(source: try LandmarkRules.source(SourceName.from(data)), rows: rows, vanished: .keep)
    }
}
