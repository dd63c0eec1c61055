// SPDX-License-Identifier: Apache-2.0

import Rates
import TestTurns
import Testing

@testable import Ingest

@Suite(.computing)
struct RatesReaderTests {
    private func read(_ text: String) throws(RatesFormatError) -> ExchangeRates {
        try RatesReader.read(Array(text.utf8))
    }

    @Test(arguments: [
        // Frankfurter, Fixer, Open Exchange Rates, and the European Central Bank's table, as they answer.
        #"{"amount":1.0,"base":"AUD","date":"2025-01-31","rates":{"USD":0.62226,"JPY":96.39}}"#,
        #"{"success":true,"timestamp":1738281600,"base":"AUD","date":"2025-01-31","rates":{"USD":0.62226,"JPY":96.39}}"#,
        #"{"disclaimer":"x","license":"y","timestamp":1738281600,"base":"AUD","rates":{"AUD":1,"USD":0.62226,"JPY":96.39}}"#,
        // exchangerate-api with a key and without, and the second version of Frankfurter.
        #"{"result":"success","time_last_update_unix":1738281601,"base_code":"AUD","conversion_rates":{"AUD":1,"USD":0.62226,"JPY":96.39}}"#,
        #"{"result":"success","time_last_update_unix":1738281601,"time_eol_unix":0,"base_code":"AUD","rates":{"USD":0.62226,"JPY":96.39}}"#,
        #"[{"date":"2025-01-31","base":"AUD","quote":"USD","rate":0.62226},{"date":"2025-01-31","base":"AUD","quote":"JPY","rate":96.39}]"#,
        // The newest row of each currency counts; one that has been given up is left out.
        #"[{"date":"2025-01-30","base":"AUD","quote":"USD","rate":9},{"date":"2025-01-31","base":"AUD","quote":"USD","rate":0.62226},{"date":"2025-02-03","base":"AUD","quote":"JPY","rate":96.39},{"date":"2022-12-30","base":"AUD","quote":"HRK","rate":4}]"#,
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
        "Date,USD,JPY,\n24 November 2026,1.05,162.35,\n",
        "Date,USD,JPY\n2026-11-23,1,1\n2026-11-24,1.05,162.35\n2026-11-20,2,2\n",
        """
        <?xml version="1.0"?><!-- x --><gesmes:Envelope xmlns:gesmes="g" xmlns="e"><gesmes:subject>Rates</gesmes:subject><Cube>
        <Cube time='2026-11-23'><Cube currency='USD' rate='1'/></Cube>
        <Cube time='2026-11-24'><Cube currency='USD' rate='1.05'/><Cube currency='JPY' rate='162.35'/></Cube>
        <Cube time='2026-11-20'><Cube currency='USD' rate='2'/></Cube></Cube></gesmes:Envelope>
        """,
    ])
    func readsWhatElseTheECBHas(text: String) throws {
        let rates = try read(text)
        #expect(rates.base == .euro && rates.date.description == "2026-11-24")
        #expect(
            rates.rates.mapValues(\.description).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                == ["EUR 1", "JPY 162.35", "USD 1.05"])
    }

    @Test(arguments: [
        (#"{"base":"AUD","rates":{"USD":1}}"#, RatesFormatError.noDate),
        (#"{"result":"error","documentation":"https://x","error-type":"invalid-key"}"#, .refused("invalid-key")),
        (
            #"[{"date":"2025-01-31","base":"AUD","quote":"USD","rate":1},{"date":"2025-01-31","base":"EUR","quote":"CAD","rate":1}]"#,
            .noBase
        ),
        (#"[{"base":"AUD","quote":"USD","rate":1}]"#, .noDate), (#"[{"name":"A"}]"#, .noRates), ("<gpx/>", .noRates),
        ("<Cube><Cube time='today'/></Cube>", .noDate),
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
