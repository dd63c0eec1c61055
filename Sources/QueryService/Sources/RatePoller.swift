// SPDX-License-Identifier: Apache-2.0

import Ingest
import Logging
import Rates
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// Fetches currency rates at intervals, and answers with the latest. After a failed fetch, the earlier rates stay.
///
/// Each query service fetches for itself, because rates are some kilobytes a few times a day, and storage does not need
/// them.
final class RatePoller {
    private let source: RatesSource
    private let home: Home
    private var latest: ExchangeRates?
    private var validators = FetchValidators()
    /// The time of the source's last successful answer, even if the rates had not changed. In milliseconds on the
    /// monotonic clock.
    private var answered: UInt64 = 0
    /// The reason why the last fetch failed; nil if it succeeded.
    private var problem: String?
    private(set) var task: Task<Void, Never>?

    init(_ source: RatesSource, _ home: Home) { (self.source, self.home) = (source, home) }

    func start() {
        if let path = source.kept, let known = KeptRates(path: path).read() {
            // The subtraction wraps around if the file is older than the machine's uptime. The age is computed by
            // another subtraction, which wraps back.
            (latest, answered) = (known.rates, Monotonic.milliseconds &- known.age)
        }
        task = home.spawn { await self.run() }
    }

    private nonisolated(nonsending) func run() async {
        var failures = 0
        while !Task.isCancelled {
            problem = await fetch()
            guard !Task.isCancelled else { return }
            if let problem {
                failures += 1
                home.logger.warning("rates cannot be fetched", metadata: ["error": "\(problem)"])
            } else {
                failures = 0
                answered = Monotonic.milliseconds
                await keep()
            }
            guard let wait = RefreshSchedule.wait(every: source.every, failures: failures, random: .random(in: 0..<1))
            else { return }
            do { try await Task.sleep(for: wait) } catch { return }
        }
    }

    /// Writes the rates to the file, even if they have not changed, because the file's age tells how recent they are.
    private nonisolated(nonsending) func keep() async {
        guard let path = source.kept, let latest else { return }
        do { try await Task.detached { try KeptRates(path: path).write(latest) }.value } catch {
            home.logger.warning("rates cannot be kept", metadata: ["file": "\(path)", "error": "\(error)"])
        }
    }

    /// Fetches the rates. Returns the reason of a failure, in one sentence; nil if the rates are current.
    private nonisolated(nonsending) func fetch() async -> String? {
        let request = FetchRequest(
            location: source.location, validators: validators, limits: FetchLimits(maxBytes: RatesReader.mostBytes))
        do {
            switch try await SourceFetcher().fetch(request) {
            case .notModified: break
            case .fetched(let body):
                let fetched = try RatesReader.read(body.bytes)
                if fetched != latest {
                    home.logger.info("rates fetched", metadata: ["date": "\(fetched.date)", "base": "\(fetched.base)"])
                }
                (latest, validators) = (fetched, body.validators)
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    func reply() throws(ServiceError) -> WireReply {
        guard let latest else {
            throw ServiceError(
                .unavailable, problem ?? "The rates have not been fetched yet: try again.", retryAfter: 500)
        }
        var report = WireRatesReport(latest)
        report.ageMs = Monotonic.milliseconds &- answered
        report.problem = problem ?? ""
        return .with { $0.rates = report }
    }
}

extension ServiceError {
    static let noRatesSource = ServiceError(
        .notFound, "The service has no source of rates: set rates.url in its configuration.")
}
