// SPDX-License-Identifier: Apache-2.0

package import Rates

extension JSONWriter {
    /// Writes `base date age_ms problem rates`, with the rates by currency, as numbers with all their digits.
    ///
    /// - Parameters:
    ///   - base: the currency, one unit of which has these prices in the other currencies.
    ///   - age: milliseconds since the source last answered; nil if the rates were read just now.
    package mutating func fields(
        _ rates: [(currency: CurrencyCode, rate: ExactDecimal)], base: CurrencyCode, date: RatesDate, age: UInt64?,
        problem: String?
    ) {
        field("base", base.description)
        field("date", date.description)
        field("age_ms", age)
        field("problem", problem)
        object("rates") { writer in
            for (currency, rate) in rates { writer.field(currency.description, raw: rate.description) }
        }
    }
}

/// Writes `amount from to result rate date`.
extension Conversion: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("amount", raw: amount.description)
        writer.field("from", from.description)
        writer.field("to", to.description)
        writer.field("result", raw: result.description)
        writer.field("rate", raw: rate?.description)
        writer.field("date", date.description)
    }
}
