// SPDX-License-Identifier: Apache-2.0

public import Rates

extension ExchangeRates {
    /// Converts the generated message. Nil if it does not contain valid exchange rates.
    public init?(_ wire: WireRatesReport) {
        guard let base = CurrencyCode(wire.base), let date = RatesDate(wire.date),
            wire.rates.count <= Self.mostRates
        else { return nil }
        var rates: [CurrencyCode: ExactDecimal] = [:]
        for row in wire.rates {
            guard let currency = CurrencyCode(row.currency), let rate = ExactDecimal(row.rate) else { return nil }
            rates[currency] = rate
        }
        self.init(base: base, date: date, rates: rates)
    }
}

extension WireRatesReport {
    public init(_ rates: ExchangeRates) {
        self.init()
        base = rates.base.description
        date = rates.date.description
        self.rates = rates.rates.keys.sorted().compactMap { currency in
            rates.rates[currency].map { rate in
                .with {
                    $0.currency = currency.description
                    $0.rate = rate.description
                }
            }
        }
    }
}
