// SPDX-License-Identifier: Apache-2.0

package import Rates

extension JSONWriter {
    /// `base date age_ms problem rates`: the rates by currency, as numbers with all their digits.
    ///
    /// - Parameters:
    ///   - base: the currency of which one unit is priced.
    ///   - age: since the source last answered; nil if the rates were read just now.
    package mutating func fields(
        _ rates: [(currency: CurrencyCode, rate: ExactDecimal)], base: CurrencyCode, date: RatesDate, age: UInt64?,
        problem: String?
    ) {
        field("base", base.description)
        field("date", date.description)
        field("age_ms", age)
        field("problem", problem)
        key("rates")
        object { writer in
            for (currency, rate) in rates { writer.field(currency.description, rate) }
        }
    }

    /// `amount from to result rate date`.
    package mutating func fields(_ conversion: Conversion) {
        field("amount", conversion.amount)
        field("from", conversion.from.description)
        field("to", conversion.to.description)
        field("result", conversion.result)
        field("rate", conversion.rate)
        field("date", conversion.date.description)
    }

    private mutating func field(_ name: String, _ number: ExactDecimal?) {
        key(name)
        if let number { raw(number.description) } else { null() }
    }
}
