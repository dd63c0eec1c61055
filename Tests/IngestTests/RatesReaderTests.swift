// SPDX-License-Identifier: Apache-2.0

import Rates
import TestTurns
import Testing

@testable import Ingest

@Suite(.computing, .timeLimit(.minutes(5)))
struct RatesReaderTests {
    private func read(_ text: String) throws(RatesFormatError) -> ExchangeRates {
        try RatesReader.read(Array(text.utf8))
    }

    @Test(arguments: [
        // Frankfurter, Fixer, Open Exchange Rates, and the European Central Bank's table, as they answer.
        #"{"amount":1.0,"base":"AUD","date":"2025-01-31","rates":{"USD":0.62226,"JPY":96.39}}"#,
        #"{"success":true,"timestamp":1738281600,"base":"AUD","date":"2025-01-31","rates":{"USD":0.62226,"JPY":96.39}}"#,
        #"{"disclaimer":"x","license":"y","timestamp":1738281600,"base":"AUD","rates":{"AUD":1,"USD":0.62226,"JPY":96.39}}"#,
        #"{"base":"AUD","date":"2025-01-31","rates":{"USD":"0.62226","JPY":"96.39","XAU":"N/A","long name":1,"CAD":-1}}"#,
    ])
    func readsJSON(text: String) throws {
        let rates = try read(text)
        #expect(rates.base == .australianDollar && rates.date.description == "2025-01-31")
        #expect(
            rates.rates.mapValues(\.description).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                == ["AUD 1", "JPY 96.39", "USD 0.62226"])
    }

    @Test func readsTheTableOfTheECB() throws {
        let rates = try read("Date, USD, JPY, ISK, \n30 October 2026, 1.1172, 175.68, 136.00, \n")
        #expect(rates.base == .euro && rates.date.description == "2026-10-30" && rates.rates.count == 4)
        #expect(rates.rates[try #require(CurrencyCode("JPY"))]?.description == "175.68")
    }

    @Test(arguments: [
        (#"{"base":"AUD","rates":{"USD":1}}"#, RatesFormatError.noDate),
        (#"{"date":"2025-01-31","rates":{"USD":1}}"#, .noBase),
        (#"{"base":"AUD","date":"2025-01-31"}"#, .noRates),
        (#"{"base":"AUD","date":"2025-01-31","rates":{"USD":0}}"#, .noRates),
        (#"{"amount":100.0,"base":"AUD","date":"2025-01-31","rates":{"USD":62.226}}"#, .notForOne("100.0")),
        (#"{"success":false,"error":{"code":101,"type":"missing_access_key","info":"No key."}}"#, .refused("No key.")),
        (
            #"{"error":true,"status":401,"message":"invalid_app_id","description":"Invalid App ID."}"#,
            .refused("Invalid App ID.")
        ),
        ("[]", .noRates),
        ("Date, USD\nyesterday, 1\n", .noDate),
    ])
    func saysWhatIsWrong(text: String, error: RatesFormatError) {
        #expect(throws: error) { try read(text) }
    }

    @Test(arguments: ["", "<html></html>", "{\"base\":", "\u{0}\u{1}"])
    func refusesWhatCannotBeRead(text: String) {
        #expect(throws: RatesFormatError.self) { try read(text) }
    }

    @Test func isBounded() {
        let many = (0..<2_000).map { "\"\($0)\":1" }.joined(separator: ",")
        #expect(throws: RatesFormatError.tooLarge) {
            try read(#"{"base":"AUD","date":"2025-01-31","rates":{\#(many)}}"#)
        }
        #expect(throws: RatesFormatError.tooLarge) {
            try RatesReader.read([UInt8](repeating: 0x20, count: 1 << 20 + 1))
        }
    }
}
