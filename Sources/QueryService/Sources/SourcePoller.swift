// SPDX-License-Identifier: Apache-2.0

import Ingest
import Logging
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// Fetches the configured sources at intervals and ingests them. Storage allows only one service at a time to fetch a
/// source: it grants a lease.
final class SourcePoller {
    /// One source and the task that fetches it. If the settings of a source change, a new object replaces this one.
    private final class Polling {
        let source: SourceDefinition
        /// Whether to fetch without waiting for the interval, because the source's location or format has changed.
        var isAtOnce: Bool
        var task: Task<Void, Never>?
        /// Ended when the task has to end after the fetch in progress.
        let retired = ChangeSignal()

        init(_ source: SourceDefinition, isAtOnce: Bool) { (self.source, self.isAtOnce) = (source, isAtOnce) }
    }

    /// Sends a request to storage.
    typealias Ask = @Sendable (WireRequest, _ timeout: Duration) async throws(ServiceError) -> WireReply
    private static let patience = Duration.seconds(5)

    private let ask: Ask
    private let news: AsyncStream<IngestNews>.Continuation
    private let home: Home
    /// The sources of the present configuration.
    private var sources: [SourceDefinition] = []
    private var isStarted = false
    /// One entry for each source. A removed source keeps its entry until its last fetch has ended.
    private var polled: [Polling] = []
    /// The counters by the name of the source.
    private(set) var counters: [String: SourceCounters] = [:]

    init(_ news: AsyncStream<IngestNews>.Continuation, _ home: Home, ask: @escaping Ask) {
        (self.ask, self.news, self.home) = (ask, news, home)
    }

    var isIdle: Bool { polled.isEmpty }
    var tasks: [Task<Void, Never>] { polled.compactMap(\.task) }

    /// Replaces the list of sources. A fetch in progress ends under the old settings.
    func poll(_ fresh: [SourceDefinition]) {
        let old = sources
        sources = fresh
        for polling in polled where !fresh.contains(polling.source) { polling.retired.end() }
        for source in old where !fresh.contains(where: { $0.name == source.name }) {
            counters[source.name] = nil
            home.logger.info("source removed", metadata: ["source": "\(source.name)"])
        }
        for source in fresh where !old.contains(source) {
            let before = old.first { $0.name == source.name }
            if isStarted {
                home.logger.info(
                    before == nil ? "source added" : "source changed", metadata: ["source": "\(source.name)"])
            }
            let polling = Polling(
                source, isAtOnce: before.map { $0.location != source.location || $0.format != source.format } ?? false)
            polled.append(polling)
            polling.task = home.spawn {
                await self.run(polling)
                self.polled.removeAll { $0 === polling }
            }
        }
        isStarted = true
    }

    /// Stops fetching after the fetches in progress have ended.
    func retire() {
        for polling in polled { polling.retired.end() }
    }

    private nonisolated(nonsending) func run(_ polling: Polling) async {
        let source = polling.source
        var failures = 0
        if counters[source.name] == nil { counters[source.name] = SourceCounters(lastGood: Monotonic.milliseconds) }
        while !Task.isCancelled, !polling.retired.isOver {
            var wait: Duration?
            do throws(ServiceError) {
                let lease = try await beginFetch(source, every: polling.isAtOnce ? .zero : source.every)
                if lease.granted {
                    polling.isAtOnce = false
                    // A cancelled fetch is not counted, and its lease expires.
                    guard let outcome = await fetch(source, lease) else { return }
                    if case .failed = outcome { failures += 1 } else { failures = 0 }
                    count(outcome, of: source)
                    wait = RefreshSchedule.wait(every: source.every, failures: failures, random: .random(in: 0..<1))
                } else {
                    count(.leftToOthers, of: source)
                    // A source to be fetched only once is asked for again until one of the services has fetched it.
                    wait = .milliseconds(max(1_000, min(lease.waitMs, 86_400_000)))
                    if source.every == .zero, lease.waitMs == 0 { wait = nil }
                }
            } catch {
                home.logger.log(
                    level: error.code.isRetryable ? .debug : .error, "storage granted no lease for a fetch",
                    metadata: Self.metadata(source, error))
                wait = error.code.isRetryable ? .milliseconds(500) : .seconds(60)
            }
            guard let wait else { return }
            // The wait ends early if the source changes or the service stops.
            await polling.retired.wait(atMost: wait) { false }
        }
    }

    private func count(_ outcome: IngestNews.Outcome, of source: SourceDefinition) {
        counters[source.name]?.count(outcome, now: Monotonic.milliseconds)
        news.yield(IngestNews(source: source, outcome: outcome))
    }

    private nonisolated(nonsending) func beginFetch(
        _ source: SourceDefinition, every: Duration
    ) async throws(ServiceError) -> WireFetchLease {
        // Requests slightly less than the real interval, because random jitter can make a fetch early, and it must not
        // be refused.
        let request = source.begin(
            every: every * 0.8,
            // The lease lasts longer than a fetch with its retries and the ingest.
            lease: min(.seconds(3_600), max(.seconds(60), source.limits.timeout * 5)))
        guard case .fetchLease(let lease)? = try await ask(request, Self.patience).result else {
            throw .unexpectedAnswer
        }
        return lease
    }

    /// Fetches and ingests the source once, and reports the result to storage.
    ///
    /// - Returns: nil if the fetch was cancelled.
    private nonisolated(nonsending) func fetch(_ source: SourceDefinition, _ lease: WireFetchLease) async -> IngestNews
        .Outcome?
    {
        let ending: WireRequest
        let news: IngestNews.Outcome
        do {
            let validators = FetchValidators(
                etag: lease.etag.isEmpty ? nil : lease.etag,
                lastModified: lease.lastModified.isEmpty ? nil : lease.lastModified)
            switch try await SourceFetcher().fetch(source.request(validators: validators)) {
            case .notModified:
                ending = source.notModified()
                news = .notModified
            case .fetched(let body):
                let (format, most) = (source.format, source.limits.maxBytes)
                let rows = try await Task.detached { try format.rows(in: body.bytes, upTo: most) }.value
                let report = try await IngestRun(source: source.name, rows: rows, vanished: source.vanished)
                    .run { [ask] (request) throws(ServiceError) in try await ask(request, .seconds(30)) }
                ending = source.ingested(report, validators: body.validators, format: rows.format)
                news = .ingested(report)
                tell(report, of: source)
            }
        } catch {
            guard !Task.isCancelled else { return nil }
            ending = source.failed("\(error)")
            news = .failed("\(error)")
            home.logger.warning("source failed", metadata: ["source": "\(source.name)", "error": "\(error)"])
        }
        await tell(ending, of: source)
        return news
    }

    /// Reports the result of a fetch to storage. If storage refuses the report for good, a failure is reported instead.
    /// Without a report the fetch would seem to go on, and no other fetch would be granted until the lease expires.
    private nonisolated(nonsending) func tell(_ ending: WireRequest, of source: SourceDefinition) async {
        do throws(ServiceError) {
            do throws(ServiceError) {
                _ = try await ask(ending, Self.patience)
            } catch {
                guard !error.code.isRetryable else { throw error }
                home.logger.error("storage refuses the end of a fetch", metadata: Self.metadata(source, error))
                _ = try await ask(source.failed(error.message), Self.patience)
            }
        } catch {
            home.logger.warning("storage does not know that a fetch has ended", metadata: Self.metadata(source, error))
        }
    }

    private static func metadata(_ source: SourceDefinition, _ error: ServiceError) -> Logger.Metadata {
        ["source": "\(source.name)", "error": "\(error.message)"]
    }

    /// Logs an ingest: at level info if it changed something, otherwise at level debug.
    private func tell(_ report: IngestReport, of source: SourceDefinition) {
        let isNew = report.counts.added + report.counts.changed + report.counts.removed > 0
        home.logger.log(
            level: isNew ? .info : .debug, "source ingested",
            metadata: [
                "source": "\(source.name)", "added": .stringConvertible(report.counts.added),
                "changed": .stringConvertible(report.counts.changed),
                "removed": .stringConvertible(report.counts.removed),
            ])
    }
}
