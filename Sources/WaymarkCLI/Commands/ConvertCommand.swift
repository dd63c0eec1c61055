// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Rates

struct ConvertCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "convert",
        abstract: "Convert a sum into another currency.",
        discussion: """
            Uses the rates that the query service fetches, or those of a file. The result is computed in decimals and \
            rounded once, to the currency's digits. The day of the rates is printed with it.

              waymark convert 100 USD
              waymark convert 12.50 EUR --to JPY --rates https://api.frankfurter.dev/v1/latest
            """)

    @Argument(help: ArgumentHelp("The sum.", valueName: "amount"), transform: Values.amount)
    var amount: ExactDecimal

    @Argument(.currency, "The sum's currency: a code of three letters.")
    var from: CurrencyCode

    @Option(.currency, "The currency to convert into. (default: AUD)")
    var to: CurrencyCode = .australianDollar

    @OptionGroup var source: RatesOptions
    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let known = try await session.rates(source)
        let conversion = try known.rates.convert(amount, from: from, to: to)
        let sum = session.output.painter.paint("\(conversion.result) \(conversion.to)", .bold)
        let rate = conversion.rate.map { ", \($0) \(conversion.to) for 1 \(conversion.from)" } ?? ""
        try session.output.result(
            "\(conversion.amount) \(conversion.from) = \(sum)  (rates of \(conversion.date)\(rate))"
        ) { $0.fields(conversion) }
        session.tell(known)
    }
}
