// SPDX-License-Identifier: Apache-2.0

public import Ingest
internal import Landmarks
import Logging
import WaymarkProtocol
internal import WaymarkTransport

/// The result of one ingest of a configured source.
public struct IngestNews: Sendable {
    public enum Outcome: Sendable {
        case ingested(IngestReport)
        case notModified
        /// One sentence for people.
        case failed(String)
        /// Another query service has fetched the source recently, or is fetching it now.
        case leftToOthers
    }

    public var source: SourceDefinition
    public var outcome: Outcome
}

extension QueryServer {
    /// Fetches one source repeatedly, whenever storage grants this service the turn.
    func keepFetching(_ number: Int) async {
        defer { fetchings.running[number] = nil }
        guard let source = fetchings.running[number]?.source else { return }
        var isAtOnce = fetchings.running[number]?.isAtOnce == true
        var failures = 0
        if counters.sources[source.name] == nil {
            counters.sources[source.name] = SourceCounters(since: Monotonic.milliseconds)
        }
        while !Task.isCancelled, server != nil, fetchings.running[number]?.isRetired == false {
            var wait: Duration?
            do throws(ServiceError) {
                let turn = try await beginFetch(source, every: isAtOnce ? .zero : source.every)
                if turn.granted {
                    isAtOnce = false
                    let outcome = await fetch(source, turn)
                    // A cancelled fetch does not count, and its turn lapses.
                    guard let outcome else { return }
                    if case .failed = outcome { failures += 1 } else { failures = 0 }
                    counters.sources[source.name]?.count(outcome, now: Monotonic.milliseconds)
                    ingestNews.continuation.yield(IngestNews(source: source, outcome: outcome))
                    wait = source.schedule.wait(failures: failures, random: .random(in: 0..<1))
                } else {
                    counters.sources[source.name]?.count(.leftToOthers, now: Monotonic.milliseconds)
                    ingestNews.continuation.yield(IngestNews(source: source, outcome: .leftToOthers))
                    // A source that is fetched only once still has to be fetched by one of the services.
                    wait = .milliseconds(max(1_000, min(turn.waitMs, 86_400_000)))
                    if source.every == .zero, turn.waitMs == 0 { wait = nil }
                }
            } catch {
                logger.log(
                    level: error.code.isRetryable ? .debug : .error, "no turn to fetch",
                    metadata: Self.metadata(source, error))
                wait = error.code.isRetryable ? .milliseconds(500) : .seconds(60)
            }
            guard let wait else { return }
            await pauseFetching(number, for: wait)
        }
    }

    private func beginFetch(
        _ source: SourceDefinition, every: Duration
    ) async throws(ServiceError) -> WireFetchTurn {
        // Slightly less than the time between fetches, so that a fetch which is early by its jitter is not refused.
        let request = source.bookkeeping.begin(
            every: every * 0.8,
            // Longer than a fetch with its retries and its ingest.
            lease: min(.seconds(3_600), max(.seconds(60), source.limits.timeout * 5)))
        guard case .fetchTurn(let turn)? = try await ask(request).result else { throw .unexpectedAnswer }
        return turn
    }

    /// Fetches and ingests once, and reports the result to storage.
    ///
    /// - Returns: nil if it was cancelled.
    private func fetch(_ source: SourceDefinition, _ turn: WireFetchTurn) async -> IngestNews.Outcome? {
        let ending: WireRequest
        let news: IngestNews.Outcome
        do throws(FetchFailure) {
            let validators = FetchValidators(
                etag: turn.etag.isEmpty ? nil : turn.etag,
                lastModified: turn.lastModified.isEmpty ? nil : turn.lastModified)
            switch try await fetched(source, validators) {
            case .notModified:
                ending = source.bookkeeping.notModified()
                news = .notModified
            case .fetched(let body):
                let (report, format) = try await ingest(body, of: source)
                ending = source.bookkeeping.ingested(report, validators: body.validators, format: format)
                news = .ingested(report)
                tell(report, of: source)
            }
        } catch {
            guard !Task.isCancelled else { return nil }
            ending = source.bookkeeping.failed(error.sentence)
            news = .failed(error.sentence)
            logger.warning("source failed", metadata: ["source": "\(source.name)", "error": "\(error.sentence)"])
        }
        await tell(ending, of: source)
        return news
    }

    /// Tells storage how a fetch went. What storage refuses for good becomes a failure: a fetch that nobody ends looks as
    /// if it went on, and is granted again only after its lease.
    private func tell(_ ending: WireRequest, of source: SourceDefinition) async {
        do throws(ServiceError) {
            do throws(ServiceError) {
                _ = try await ask(ending)
            } catch {
                guard !error.code.isRetryable else { throw error }
                logger.error("the end of a fetch is refused", metadata: Self.metadata(source, error))
                _ = try await ask(source.bookkeeping.failed(error.message))
            }
        } catch {
            logger.warning("storage does not know that a fetch has ended", metadata: Self.metadata(source, error))
        }
    }

    private static func metadata(_ source: SourceDefinition, _ error: ServiceError) -> Logger.Metadata {
        ["source": "\(source.name)", "error": "\(error.message)"]
    }

    /// Logged at info if the ingest changed something, otherwise at debug.
    private func tell(_ report: IngestReport, of source: SourceDefinition) {
        let isNew = report.counts.added + report.counts.changed + report.counts.removed > 0
        logger.log(
            level: isNew ? .info : .debug, "source ingested",
            metadata: [
                "source": "\(source.name)", "added": .stringConvertible(report.counts.added),
                "changed": .stringConvertible(report.counts.changed),
                "removed": .stringConvertible(report.counts.removed),
            ])
    }

    private struct FetchFailure: Error {
        var sentence: String
    }

    private func fetched(
        _ source: SourceDefinition, _ validators: FetchValidators
    ) async throws(FetchFailure) -> FetchResult {
        do throws(FetchError) {
            return try await SourceFetcher().fetch(source.request(validators: validators))
        } catch {
            throw FetchFailure(sentence: "\(error)")
        }
    }

    /// - Returns: the report, and the format that the body was read as.
    private func ingest(
        _ body: FetchedBody, of source: SourceDefinition
    ) async throws(FetchFailure) -> (IngestReport, format: String) {
        let format = source.format
        let options = ReadingOptions(maxBytes: source.limits.maxBytes)
        let parsed = await Task.detached { () -> Result<SourceRows, SourceFormatError> in
            do throws(SourceFormatError) { return .success(try format.rows(in: body.bytes, options)) } catch {
                return .failure(error)
            }
        }.value
        switch parsed {
        case .failure(let error): throw FetchFailure(sentence: "\(error)")
        case .success(let rows):
            let run = IngestRun(source: source.name, rows: rows, vanished: source.vanished)
            do throws(ServiceError) {
                let report = try await run.run { (request) throws(ServiceError) in
                    try await self.ask(request, timeout: .seconds(30))
                }
                return (report, rows.format)
            } catch {
                throw FetchFailure(sentence: error.message)
            }
        }
    }
}

extension SourceDefinition {
    fileprivate var bookkeeping: FetchBookkeeping {
        FetchBookkeeping(source: name, location: location, format: format)
    }
}
