// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

extension WaymarkClient {
    /// Returns the latest exchange rates that the query service has fetched.
    ///
    /// - Throws: `NOT_FOUND` if the service has no source of exchange rates, `UNAVAILABLE` while it has fetched none.
    public func rates() async throws(ClientError) -> RatesAnswer {
        try await ask(.with { $0.rates = WireRates() }, \.rates) { wire in
            ExchangeRates(wire).map {
                RatesAnswer(rates: $0, age: wire.ageMs, problem: wire.problem.isEmpty ? nil : wire.problem)
            }
        }
    }
}

/// Exchange rates, and how fresh they are.
public struct RatesAnswer: Sendable {
    public let rates: ExchangeRates
    /// Milliseconds since the source last sent these rates or confirmed them.
    public let age: UInt64
    /// The reason why the last fetch failed, in one sentence; nil if the last fetch succeeded.
    public let problem: String?
}
