// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Rates

struct RatesCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "rates",
        abstract: "Print the rates of currencies.",
        discussion: """
            Prints what one unit of a currency costs in the others, by the rates that the query service fetched last, \
            or by those of a file.

              waymark rates
              waymark rates --base EUR -o json
            """)

    @Option(.currency, "The currency whose unit is priced in the others. (default: AUD)")
    var base: CurrencyCode = .australianDollar

    @OptionGroup var source: RatesOptions
    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let known = try await session.rates(source)
        let rates = try known.rates.rates(for: base)
        guard session.output.format == .text else {
            return try session.output.object {
                $0.fields(rates, base: base, date: known.rates.date, age: known.age, problem: known.problem)
            }
        }
        let columns: [TextTable.Column] = [
            .init(title: "CURRENCY", style: .bold), .init(title: "FOR 1 \(base)", alignment: .right),
        ]
        try session.output.table(TextTable(columns, rows: rates.map { [$0.description, $1.description] }))
        let age = known.age.map { ", asked for \(Figures.duration($0)) ago" } ?? ""
        try session.output.line("Rates of \(known.rates.date)\(age).")
        session.tell(known)
    }
}
