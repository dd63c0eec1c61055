// SPDX-License-Identifier: Apache-2.0

import Ingest
import Logging
import Rates
import WaymarkProtocol
internal import WaymarkTransport

/// The rates that were fetched last. They are kept when later fetches fail.
struct FetchedRates {
    var latest: ExchangeRates?
    var validators = FetchValidators()
    /// When the source last answered with ``latest``, or that it has not changed. Milliseconds of the monotonic clock.
    var answered: UInt64 = 0
    /// Why the last fetch failed; nil if it did not.
    var problem: String?
    var task: Task<Void, Never>?
}

extension QueryServer {
    func beginFetchingRates() {
        guard let source = options.rates else { return }
        if let path = source.kept, let known = KeptRates(path: path).read() {
            // Wraps around where the machine is younger than the file, as the age that is made of it does.
            (rates.latest, rates.answered) = (known.rates, Monotonic.milliseconds &- known.age)
        }
        rates.task = Task { await self.keepFetchingRates(source) }
    }

    /// Each query service fetches for itself: rates are some kilobytes a few times a day, and storage has no part in
    /// them.
    private func keepFetchingRates(_ source: RatesSource) async {
        let schedule = RefreshSchedule(every: source.every)
        var failures = 0
        while !Task.isCancelled {
            if let problem = await fetchRates(source) {
                guard !Task.isCancelled else { return }
                failures += 1
                rates.problem = problem
                logger.warning("rates failed", metadata: ["error": "\(problem)"])
            } else {
                failures = 0
                rates.problem = nil
                rates.answered = Monotonic.milliseconds
                await keep(source)
            }
            guard let wait = schedule.wait(failures: failures, random: .random(in: 0..<1)) else { return }
            do { try await Task.sleep(for: wait) } catch { return }
        }
    }

    /// Unchanged rates are written again too: the file's age is that of the answer.
    private func keep(_ source: RatesSource) async {
        guard let path = source.kept, let latest = rates.latest else { return }
        do { try await Task.detached { try KeptRates(path: path).write(latest) }.value } catch {
            logger.warning("rates not kept", metadata: ["file": "\(path)", "error": "\(error)"])
        }
    }

    /// - Returns: why it failed, in one sentence; nil if there are rates now.
    private func fetchRates(_ source: RatesSource) async -> String? {
        let request = FetchRequest(
            location: source.location, validators: rates.validators,
            limits: FetchLimits(maxBytes: RatesReader.mostBytes))
        do {
            switch try await SourceFetcher().fetch(request) {
            case .notModified: break
            case .fetched(let body):
                let fetched = try RatesReader.read(body.bytes)
                if fetched != rates.latest {
                    logger.info("rates fetched", metadata: ["date": "\(fetched.date)", "base": "\(fetched.base)"])
                }
                (rates.latest, rates.validators) = (fetched, body.validators)
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    func ratesReply() throws(ServiceError) -> WireReply {
        guard options.rates != nil else { throw .noRatesSource }
        guard let latest = rates.latest else {
            throw ServiceError(
                .unavailable, rates.problem ?? "The rates have not been fetched yet: try again.", retryAfter: 500)
        }
        var report = WireRatesReport(latest)
        report.ageMs = Monotonic.milliseconds &- rates.answered
        report.problem = rates.problem ?? ""
        return .with { $0.rates = report }
    }
}

extension ServiceError {
    static let noRatesSource = ServiceError(
        .notFound, "The service has no source of rates: set rates.url in its configuration.")
}
