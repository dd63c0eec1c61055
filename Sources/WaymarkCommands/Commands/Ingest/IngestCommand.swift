// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Ingest
import Landmarks
import WaymarkClient
import WaymarkProtocol

extension VanishedPolicy: ExpressibleByArgument {}

/// Fetches and reads the source here and sends rows, because a service that fetched whatever file or address a stranger
/// names would be a hole.
struct IngestCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Ingest one source now, from a file, an address or stdin.",
        discussion: """
            A landmark is found again by source and key: doing it again changes nothing, and what people have written \
            stays. The file or address is read by this command, not by the service.

              waymark ingest airports.csv.gz --source airports --dry-run
              waymark ingest https://example.com/beaches.geojson --vanished remove
              waymark ingest poi.json --rows data.items --name-field title --lat-field pos.lat --lng-field pos.lon
              waymark list -o json | waymark ingest - --source copy --connect tcp://127.0.0.1:7520

            What is packed with gzip is unpacked. A body may hold up to \(Figures.count(UInt64(SourceFormat.valueLimit))) values and \
            --max-size MiB, packed and unpacked.

            It ends with 1 when the fetch fails, the body cannot be read, or every row is rejected, and then nothing \
            has changed. Rows that are rejected beside others are told, and are no failure.
            """)

    @Argument(
        help: ArgumentHelp(
            "The path of a file, - for stdin, or an https:, http: or file: URL.", valueName: "file|url|-"),
        completion: .file())
    var location: String

    @Option(
        help: ArgumentHelp(
            "How it is written: \(SourceFormat.names.joined(separator: ", ")). (default: auto, told from its shape)",
            valueName: "format"),
        completion: .list(SourceFormat.names))
    var format: String?

    @Option(
        help: ArgumentHelp("The source's name. Needed with -. (default: made of the file's name)", valueName: "name"),
        completion: Completions.sources)
    var source: String?

    @Option(
        help: "Landmarks that the source no longer has: keep them, or remove those that nobody has written on.")
    var vanished = VanishedPolicy.keep

    @Flag(help: "Say what would happen, with a few rows of each sort; change nothing.")
    var dryRun = false

    @Flag(help: "List every row that was rejected or noticed, not three of each sort.")
    var allRejected = false

    @Flag(help: "Take what is there of an answer that its server says broke off. Nothing is removed then.")
    var acceptPartial = false

    @Option(
        help: ArgumentHelp(
            "How long one attempt to fetch may take, with ms, s, m or h. (default: 30s)", valueName: "time"),
        transform: Values.duration)
    var fetchTimeout: Duration?

    @Option(
        help: ArgumentHelp("The largest body to read, in MiB. (default: 64)", valueName: "count"),
        transform: Values.count)
    var maxSize: Int = 64

    @OptionGroup(title: "Fields of the format mapping") var mapping: MappingOptions
    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: ConnectionOptions

    private var isStdin: Bool { location == "-" }

    func validate() throws {
        if maxSize > 4_096 { throw ValidationError("--max-size goes up to 4096.") }
        if isStdin, source == nil {
            throw ValidationError("What comes from stdin has no name: give it one with --source NAME.")
        }
        do {
            _ = try mapping.format(format)
            _ = try SourceLocation(location)
        } catch let error as any CustomStringConvertible {
            throw ValidationError(error.description)
        }
    }

    func run(in session: Session) async throws {
        let limits = FetchLimits(timeout: fetchTimeout ?? .seconds(30), maxBytes: maxSize << 20)
        let job = IngestJob(
            session: session, source: try LandmarkRules.source(source ?? SourceName.from(location)),
            isNamed: source != nil,
            place: isStdin ? SourceLocation(stream: STDIN_FILENO) : try SourceLocation(location),
            format: try mapping.format(format), limits: limits,
            reading: ReadingOptions(maxBytes: limits.maxBytes, acceptsPartial: acceptPartial), vanished: vanished,
            isDryRun: dryRun, showsAll: allRejected)
        try await job.run()
    }
}
