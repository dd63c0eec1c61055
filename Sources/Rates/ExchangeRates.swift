// SPDX-License-Identifier: Apache-2.0

/// The prices of one unit of a base currency in other currencies, on one day.
public struct ExchangeRates: Hashable, Sendable {
    public let base: CurrencyCode
    /// The day of the rates as the source gives it, `YYYY-MM-DD`. Rates without a day are refused: nobody could tell
    /// whether they are old.
    public let date: RatesDate
    /// The units of each currency for one unit of ``base``, each greater than 0. ``base`` is included with 1.
    public let rates: [CurrencyCode: ExactDecimal]

    /// The most rates, which is more than there are currencies.
    public static let mostRates = 1_000

    /// - Parameter rates: the rates; any that is not greater than 0 is left out.
    public init(base: CurrencyCode, date: RatesDate, rates: [CurrencyCode: ExactDecimal]) {
        self.base = base
        self.date = date
        var rates = rates.filter { $0.value.units > 0 }
        rates[base] = ExactDecimal(units: 1, places: 0)
        self.rates = rates
    }

    /// Converts `amount` by way of ``base``. The result is rounded once, to the digits of the other currency.
    public func convert(
        _ amount: ExactDecimal, from: CurrencyCode, to: CurrencyCode
    ) throws(ConversionError) -> Conversion {
        guard let sold = rates[from] else { throw .unknown(from) }
        guard let bought = rates[to] else { throw .unknown(to) }
        // Six digits are enough for people to check the sum; small rates need more places for them.
        let one = ExactDecimal(units: 1, places: 0)
        guard let result = amount.times(bought, over: sold, places: to.digits) else { throw .tooLarge }
        let rate = (0...ExactDecimal.mostPlaces).lazy.compactMap { one.times(bought, over: sold, places: $0) }
            .first { $0.units >= 100_000 }
        return Conversion(amount: amount, from: from, to: to, result: result, rate: rate, date: date)
    }

    /// The same rates for one unit of another currency, with six significant digits or more.
    ///
    /// - Returns: pairs in the order of the codes, without `base` itself.
    public func rates(for base: CurrencyCode) throws(ConversionError) -> [(currency: CurrencyCode, rate: ExactDecimal)]
    {
        guard rates[base] != nil else { throw .unknown(base) }
        let one = ExactDecimal(units: 1, places: 0)
        var pairs: [(currency: CurrencyCode, rate: ExactDecimal)] = []
        for currency in rates.keys.sorted() where currency != base {
            if base == self.base, let rate = rates[currency] {
                pairs.append((currency, rate))
            } else if let rate = try convert(one, from: base, to: currency).rate {
                pairs.append((currency, rate))
            }
        }
        return pairs
    }
}

/// The result of converting a sum into another currency.
public struct Conversion: Hashable, Sendable {
    public let amount: ExactDecimal
    public let from: CurrencyCode
    public let to: CurrencyCode
    /// The sum in ``to``, with that currency's digits.
    public let result: ExactDecimal
    /// The units of ``to`` for one of ``from``, with at least six significant digits; nil if that needs more than
    /// ``ExactDecimal/mostPlaces`` places.
    public let rate: ExactDecimal?
    public let date: RatesDate
}

public enum ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rates lack this currency.
    case unknown(CurrencyCode)
    /// The sum, or an intermediate number, needs more than 38 digits.
    case tooLarge

    public var description: String {
        switch self {
        case .unknown(let currency): "There is no rate for \(currency): \"waymark rates\" prints all rates."
        case .tooLarge: "The amount is too large to be converted exactly: take fewer digits."
        }
    }
}
