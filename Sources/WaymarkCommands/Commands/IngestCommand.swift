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
        abstract: "Ingest one source now, from a file or an address.",
        discussion: """
            A landmark is found again by source and key: doing it again changes nothing, and what people have written \
            stays. The file or address is read by this command, not by the service.

              waymark ingest airports.json --source airports
              waymark ingest https://example.com/beaches.geojson --vanished remove --dry-run
              waymark ingest poi.json --rows data.items --name-field title --lat-field pos.lat --lng-field pos.lon

            It ends with 1 when the fetch fails or the body cannot be read, and then nothing has changed. Rows that are \
            rejected are listed with the reason; they alone are no failure.
            """)

    @Argument(help: ArgumentHelp("The path of a file, or an https:, http: or file: URL.", valueName: "file|url"))
    var location: String

    @Option(
        help: ArgumentHelp(
            "How it is written: \(SourceFormat.names.joined(separator: ", ")). (default: auto, told from its shape)",
            valueName: "format"))
    var format: String?

    @Option(help: ArgumentHelp("The source's name. (default: made of the file's name)", valueName: "name"))
    var source: String?

    @Option(
        help: "Landmarks that the source no longer has: keep them, or remove those that nobody has written on.")
    var vanished = VanishedPolicy.keep

    @Flag(help: "Say what would happen; change nothing.")
    var dryRun = false

    @Flag(help: "List all rows that were rejected, not only the first 20, and all notices, not only the first 5.")
    var allRejected = false

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

    func validate() throws {
        if maxSize > 4_096 { throw ValidationError("--max-size goes up to 4096.") }
        do {
            _ = try mapping.format(format)
            _ = try SourceLocation(location)
        } catch let error as any CustomStringConvertible {
            throw ValidationError(error.description)
        }
    }

    func run(in session: Session) async throws {
        let name = try LandmarkRules.source(source ?? SourceName.from(location))
        let bar = ProgressBar(session.output, Surroundings.current)
        defer { bar.clear() }
        let written = try mapping.format(format)
        let place = try SourceLocation(location)
        let books = FetchBookkeeping(source: name, location: place, format: written)
        let body: FetchedBody
        let rows: SourceRows
        do {
            let limits = FetchLimits(timeout: fetchTimeout ?? .seconds(30), maxBytes: maxSize << 20)
            let request = FetchRequest(location: place, limits: limits)
            let result = try await SourceFetcher().fetch(request) { bar.show(.fetching($0)) }
            guard case .fetched(let fetched) = result else {
                throw Failure(.failed, "fetch_failed", "The answer had no body although none was known before.")
            }
            body = fetched
            rows = try written.rows(in: body.bytes)
        } catch {
            // Of a source that was named. A mistyped path alone is no source whose failure anybody wants to see.
            if source != nil, !dryRun, (try? await takeTurn(books, session)) == true {
                _ = try? await session.client.send(books.failed("\(error)"))
            }
            throw error
        }
        if !dryRun, !(try await takeTurn(books, session)) {
            throw Failure(.failed, "busy", "Another ingest of \(name) is under way: try again when it is done.")
        }
        let run = IngestRun(source: name, rows: rows, vanished: vanished, isDryRun: dryRun)
        let report: IngestReport
        do throws(ClientError) {
            report = try await run.run { request throws(ClientError) in
                try await session.client.send(request).1
            } progress: { done, all in
                bar.show(.sending(done, of: all))
            }
        } catch {
            if !dryRun { _ = try? await session.client.send(books.failed("\(error)")) }
            throw error
        }
        if !dryRun { _ = try await session.client.send(books.ingested(report, validators: body.validators)) }
        bar.clear()
        try IngestReportPrinter(
            report: report, source: name, format: rows.format, isDryRun: dryRun, showsAll: allRejected
        ).print(to: session.output)
    }

    /// Whether nobody else is at this source.
    private func takeTurn(_ books: FetchBookkeeping, _ session: Session) async throws -> Bool {
        let answer = try await session.client.send(books.begin(lease: .seconds(60))).1
        guard case .fetchTurn(let turn)? = answer.result else { return false }
        return turn.granted
    }
}
