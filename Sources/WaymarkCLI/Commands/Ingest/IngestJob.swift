// SPDX-License-Identifier: Apache-2.0

import Ingest
import WaymarkClient

/// One ingest: fetches and reads a source, sends its rows, and reports the result.
struct IngestJob {
    let session: Session
    let asked: IngestCommand
    let source: SourceDefinition

    func run() async throws {
        let bar = ProgressBar(session.output, Surroundings.current)
        defer { bar.clear() }
        let ending = IngestEnding(session, source, bar)
        if Surroundings.current.ownsProcess { Signals.beforeTheEnd { ending.tell() } }
        let rows: SourceRows
        let validators: FetchValidators
        do {
            (rows, validators) = try await read(bar)
        } catch {
            let failure = IngestFailure.explained(error)
            await keep(failure.message)
            throw failure
        }
        if rows.rows.isEmpty, !rows.rejected.isEmpty {
            let failure = IngestFailure.allRejected(rows.rejected.count)
            await keep(failure.message)
            bar.clear()
            try print(IngestReport(rows), rows.format)
            throw failure
        }
        if !asked.dryRun {
            guard try await beginFetch() else {
                throw Failure("busy", "Another ingest of \(source.name) is under way: try again when it is done.")
            }
            ending.begin()
        }
        let run = IngestRun(source: source.name, rows: rows, vanished: source.vanished, isDryRun: asked.dryRun)
        let report: IngestReport
        do throws(ClientError) {
            report = try await run.run { request throws(ClientError) in
                try await session.client.send(request).1
            } progress: { done, all in
                ending.count(done, of: all)
                bar.show("\(Figures.count(done)) of \(Figures.count(all)) rows", (Double(done), Double(all)))
            }
        } catch {
            if !asked.dryRun { _ = try? await session.client.send(source.failed("\(error)")) }
            throw error
        }
        if !asked.dryRun {
            _ = try await session.client.send(source.ingested(report, validators: validators, format: rows.format))
        }
        ending.done()
        bar.clear()
        try print(report, rows.format)
        if report.isAllRejected { throw IngestFailure.allRejected(report.rejected.count) }
    }

    private func read(_ bar: ProgressBar) async throws -> (SourceRows, FetchValidators) {
        var body = try await fetch(bar)
        let count = UInt64(body.bytes.count)
        let ticker = Ticker { bar.show(IngestWaiting.reading(count, for: $0)) }
        defer { ticker.stop() }
        // Move the bytes out of the body, which would otherwise keep them in memory until the end.
        var bytes: [UInt8] = []
        swap(&bytes, &body.bytes)
        let rows = try source.format.rows(
            in: consume bytes, upTo: source.limits.maxBytes, acceptsPartial: asked.acceptPartial)
        return (rows, body.validators)
    }

    private func fetch(_ bar: ProgressBar) async throws -> FetchedBody {
        let waiting = IngestWaiting(source.location, session.output, bar)
        let ticker = Ticker { waiting.tick($0) }
        defer { ticker.stop() }
        let result = try await SourceFetcher().fetch(source.request()) {
            waiting.show($0)
        } retrying: {
            waiting.tell($0)
        }
        guard case .fetched(let body) = result else { throw IngestFailure.unchanged }
        return body
    }

    /// Asks storage for a lease to fetch the source. Returns false if somebody else is ingesting this source.
    private func beginFetch() async throws -> Bool {
        try await session.client.send(source.begin(lease: .seconds(60))).1.fetchLease.granted
    }

    /// Records a failure for `sources` to show. Does nothing if the name was derived from the path, because the path
    /// may be mistyped.
    private func keep(_ sentence: String) async {
        guard asked.source != nil, !asked.dryRun, (try? await beginFetch()) == true else { return }
        _ = try? await session.client.send(source.failed(sentence))
    }

    private func print(_ report: IngestReport, _ format: String) throws(SinkError) {
        try IngestReportPrinter(
            report: report, source: source.name, format: format, isDryRun: asked.dryRun, showsAll: asked.allRejected
        ).print(to: session.output)
    }
}
