// SPDX-License-Identifier: Apache-2.0

import Foundation
import Rates
import TestTurns
import Testing

@testable import WaymarkCLI

/// Without a service: the rates come from a file.
@Suite(.inShortTurn)
struct CLIRatesTests {
    private static let file = ProcessBench.repository + "/config/rates.json"

    @Test func convertsIntoAustralianDollars() async {
        let sum = await tool("convert", "100", "usd", "--rates", Self.file)
        #expect(sum.status == 0)
        #expect(sum.out == "100 USD = 142.36 AUD  (rates of 2026-10-30, 1.42356 AUD for 1 USD)\n")
        let json = await tool("convert", "12.50", "EUR", "--to", "JPY", "--rates", Self.file, "-o", "json")
        #expect(
            json.out == #"{"amount":12.5,"from":"EUR","to":"JPY","result":2196,"rate":175.680,"date":"2026-10-30"}"#
                + "\n")
    }

    @Test func saysThatRatesAreOld() throws {
        let rates = ExchangeRates(base: .euro, date: try #require(RatesDate("2026-10-30")), rates: [:])
        let known = KnownRates(rates: rates)
        #expect(known.remark(today: try #require(RatesDate("2026-11-03"))) == nil)
        #expect(known.remark(today: try #require(RatesDate("2026-11-23")))?.contains("24 days old") == true)
    }

    @Test(arguments: [
        (["convert", "100", "XXX"], 1, "no rate for XXX"), (["convert", "1,000", "USD"], 2, "no amount"),
        (["convert", "1", "dollars"], 2, "three letters"), (["rates", "--base", "XXX"], 1, "no rate for XXX"),
    ])
    func saysWhatIsWrong(words: [String], status: Int32, message: String) async {
        let (out, err) = (MemorySink(), MemorySink())
        let code = await WaymarkTool.run(
            words + ["--rates", Self.file], in: Surroundings(environment: [:], out: out, err: err))
        #expect(code == status && err.text.contains(message) && out.text.isEmpty)
    }

    @Test func printsTheTable() async {
        let table = await tool("rates", "--rates", Self.file)
        #expect(table.status == 0 && table.out.contains("USD") && table.out.contains("0.702465"))
        #expect(table.out.hasSuffix("Rates of 2026-10-30.\n"))
        let missing = await tool("rates", "--rates", "/nonexistent/rates.json")
        #expect(missing.status == 1 && missing.err.contains("/nonexistent/rates.json"))
        let alone = await tool("rates", environment: ["WAYMARK_CONNECT": "ipc:///nonexistent/waymark.ipc"])
        #expect(alone.status == 3)
    }
}
