// SPDX-License-Identifier: Apache-2.0

public import Rates
import WaymarkProtocol

extension WaymarkClient {
    /// The rates that the query service has fetched last.
    ///
    /// - Throws: `NOT_FOUND` if the service has no source of rates, `UNAVAILABLE` while it has not fetched any yet.
    public func rates() async throws(ClientError) -> RatesAnswer {
        let (_, reply) = try await send(.with { $0.rates = WireRates() })
        guard case .rates(let wire)? = reply.result, let rates = ExchangeRates(wire) else {
            throw .unreadableAnswer("rates")
        }
        return RatesAnswer(rates: rates, age: wire.ageMs, problem: wire.problem.isEmpty ? nil : wire.problem)
    }
}

/// Rates, and how fresh they are.
public struct RatesAnswer: Sendable {
    public let rates: ExchangeRates
    /// Milliseconds since the source last answered with these rates, or that they are the same.
    public let age: UInt64
    /// Why the last fetch failed, in one sentence; nil if it did not.
    public let problem: String?
}
