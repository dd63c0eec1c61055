// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Ingest

extension VanishedPolicy: ExpressibleByArgument {}

/// Fetches and reads the source in this program, and sends the rows to the service. The service does not fetch the
/// source itself: a service that fetches any file or address that a stranger names would be a security hole.
struct IngestCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "ingest",
        abstract: "Ingest one source now, from a file, an address or stdin.",
        discussion: """
            Landmarks are recognised by source and key: ingesting again changes nothing, and what people have written \
            stays. The file or address is read by this command, not by the service.

              waymark ingest airports.csv.gz --source airports --dry-run
              waymark ingest https://example.com/beaches.geojson --vanished remove
              waymark ingest poi.json --rows data.items --name-field title --lat-field pos.lat --lng-field pos.lon
              waymark list --all -o json | waymark ingest - --source copy --connect tcp://127.0.0.1:7520

            A gzip body is unpacked. A body may hold up to \(Figures.count(UInt64(SourceFormat.valueLimit))) values \
            and --max-size MiB, packed and unpacked.

            The exit code is 1 if the fetch fails, the body cannot be read, or every row is rejected; then nothing \
            has changed. Single rejected rows are reported, and are no failure.
            """)

    @Argument(
        .text("file|url|-", completion: .file()), "The path of a file, - for stdin, or an https:, http: or file: URL.")
    var location: String

    @Option(
        .text("format", completion: .list(SourceFormat.names)),
        "The format: \(SourceFormat.names.joined(separator: ", ")). (default: auto, recognised by its contents)")
    var format: String?

    @Option(.source, "The source's name. Required with -. (default: from the file's name)")
    var source: String?

    @Option(
        help: "Landmarks that the source no longer has: keep them, or remove those without people's notes.")
    var vanished = VanishedPolicy.keep

    @Flag(help: "Print what would happen, with a few rows of each kind; change nothing.")
    var dryRun = false

    @Flag(help: "List every row that was rejected or noticed, instead of three of each kind.")
    var allRejected = false

    @Flag(help: "Accept an answer that its server marks as incomplete. Nothing is removed then.")
    var acceptPartial = false

    @Option(.time, "The time limit of one attempt to fetch, with ms, s, m or h. (default: 30s)")
    var fetchTimeout: Duration?

    @Option(.count(upTo: 4_096), "The largest body to read, in MiB. (default: 64)")
    var maxSize: Int = 64

    @Option(.text("path"), "The path of the list of rows, such as data.items. (default: the body is the list)")
    var rows: String?

    @OptionGroup(title: "Fields of the format mapping") var fields: FieldOptions
    @OptionGroup var asking: AskOptions

    private var isStdin: Bool { location == "-" }

    func validate() throws {
        try refuse(if: isStdin && source == nil, "Rows from stdin need a source name: give it with --source NAME.")
        try checked {
            if let source { _ = try SourceName.checked(source) }
            _ = try fields.format(format, rows: rows)
            _ = try SourceLocation(location)
        }
    }

    func run(in session: Session) async throws {
        let limits = FetchLimits(timeout: fetchTimeout ?? .seconds(30), maxBytes: maxSize << 20)
        let definition = try SourceDefinition(
            name: source ?? SourceName.from(location),
            location: isStdin ? SourceLocation(stream: STDIN_FILENO) : SourceLocation(location),
            format: fields.format(format, rows: rows), vanished: vanished, limits: limits)
        try await IngestJob(session: session, asked: self, source: definition).run()
    }
}
