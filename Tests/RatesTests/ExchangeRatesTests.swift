// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Rates

@Suite(.computing)
struct ExchangeRatesTests {
    private func rates() throws -> ExchangeRates {
        let texts = [
            "USD": "1.1172", "JPY": "175.68", "AUD": "1.5904", "BHD": "0.42", "IDR": "20275.17", "XTS": "1e-18",
        ]
        var rates: [CurrencyCode: ExactDecimal] = [:]
        for (code, text) in texts {
            let rate: ExactDecimal = try #require(ExactDecimal(text))
            rates[try #require(CurrencyCode(code))] = rate
        }
        return ExchangeRates(base: .euro, date: try #require(RatesDate("2026-10-30")), rates: rates)
    }

    private func sum(_ amount: String, _ from: String, _ to: String) throws -> String {
        try rates().convert(
            #require(ExactDecimal(amount)), from: #require(CurrencyCode(from)), to: #require(CurrencyCode(to))
        ).result.description
    }

    /// Computed with Python's decimal, 50 digits, ROUND_HALF_UP.
    @Test(arguments: [
        ("100", "USD", "AUD", "142.36"), ("100", "EUR", "AUD", "159.04"), ("1", "AUD", "EUR", "0.63"),
        ("1", "AUD", "JPY", "110"), ("1000", "JPY", "BHD", "2.391"), ("-5", "USD", "IDR", "-90741.00"),
        ("0", "USD", "AUD", "0.00"), ("12.34", "USD", "USD", "12.34"),
        ("999999999999", "AUD", "IDR", "12748472082482221.35"),
    ])
    func crossesThroughTheBase(amount: String, from: String, to: String, result: String) throws {
        #expect(try sum(amount, from, to) == result)
    }

    @Test func saysWhichCurrencyIsUnknown() throws {
        #expect(throws: ConversionError.unknown(try #require(CurrencyCode("XXX")))) { try sum("1", "XXX", "AUD") }
        #expect(throws: ConversionError.unknown(try #require(CurrencyCode("XXX")))) { try sum("1", "AUD", "xxx") }
        #expect(throws: ConversionError.tooLarge) { try sum("999999999999999999", "XTS", "IDR") }
    }

    @Test func areThoseOfAnotherBase() throws {
        let rates = try rates().rates(for: .australianDollar)
        #expect(rates.map(\.currency.description) == ["BHD", "EUR", "IDR", "JPY", "USD"])
        // 1.1172 / 1.5904, six significant digits.
        #expect(rates.last?.rate.description == "0.702465")
        let own = try self.rates().rates(for: .euro)
        #expect(own.first { $0.currency.description == "USD" }?.rate.description == "1.1172")
    }

    @Test(arguments: [
        ("2026-10-30", "2026-10-30"), ("30 October 2026", "2026-10-30"), ("2026-10-30T12:00:00Z", "2026-10-30"),
        ("2024-02-29", "2024-02-29"), ("1970-01-01", "1970-01-01"), ("2000-03-01", "2000-03-01"),
    ])
    func readsDates(text: String, date: String) {
        #expect(RatesDate(text)?.description == date)
    }

    @Test(arguments: ["", "2023-02-29", "2026-13-01", "2026-10-32", "26-10-30", "30 Octopus", "1969-12-31", "2026-10"])
    func refusesDates(text: String) {
        #expect(RatesDate(text) == nil)
    }

    @Test func countsDays() {
        #expect(RatesDate("1970-01-02")?.days == 1)
        #expect(RatesDate("2000-01-01")?.days == 10_957)
        #expect(RatesDate(unixSeconds: 86_399).description == "1970-01-01")
        #expect(RatesDate(days: -1).description == "1969-12-31")
        for day in stride(from: 0, to: 100_000, by: 37) {
            let text = RatesDate(days: day).description
            #expect(RatesDate(text)?.days == day)
        }
    }
}
