// SPDX-License-Identifier: Apache-2.0

/// The value of one unit of a base currency in other currencies on one day.
public struct ExchangeRates: Hashable, Sendable {
    public let base: CurrencyCode
    /// The date of the rates as the source gives it. Rates without a date are refused, because nobody could tell
    /// whether they are old.
    public let date: RatesDate
    /// The units of each currency for one unit of ``base``, each greater than 0. The rate of ``base`` itself is 1.
    public let rates: [CurrencyCode: ExactDecimal]

    /// The maximum number of rates, which is higher than the number of currencies in the world.
    public static let mostRates = 1_000

    /// - Parameter rates: the rates. A rate that is not greater than 0 is left out.
    public init(base: CurrencyCode, date: RatesDate, rates: [CurrencyCode: ExactDecimal]) {
        self.base = base
        self.date = date
        var rates = rates.filter { $0.value.units > 0 }
        rates[base] = .one
        self.rates = rates
    }

    /// Converts `amount` by way of ``base``. Rounds only the result, to the decimals of the currency `to`.
    public func convert(
        _ amount: ExactDecimal, from: CurrencyCode, to: CurrencyCode
    ) throws(ConversionError) -> Conversion {
        guard let sold = rates[from] else { throw .unknown(from) }
        guard let bought = rates[to] else { throw .unknown(to) }
        guard let result = amount.times(bought, over: sold, places: to.digits) else { throw .tooLarge }
        // Six digits are enough for people to check the result. Small rates need more decimals to have six digits.
        let rate = (0...ExactDecimal.mostPlaces).lazy
            .compactMap { ExactDecimal.one.times(bought, over: sold, places: $0) }
            .first { $0.units >= 100_000 }
        return Conversion(amount: amount, from: from, to: to, result: result, rate: rate, date: date)
    }

    /// Returns the rates for one unit of a different currency, with at least six significant digits.
    ///
    /// - Returns: pairs of currency and rate in the order of the codes. The pair of `base` itself is left out.
    public func rates(for base: CurrencyCode) throws(ConversionError) -> [(currency: CurrencyCode, rate: ExactDecimal)]
    {
        guard rates[base] != nil else { throw .unknown(base) }
        var pairs: [(currency: CurrencyCode, rate: ExactDecimal)] = []
        for currency in rates.keys.sorted() where currency != base {
            let rate = try base == self.base ? rates[currency] : convert(.one, from: base, to: currency).rate
            if let rate { pairs.append((currency, rate)) }
        }
        return pairs
    }
}

/// The result of converting an amount to another currency.
public struct Conversion: Hashable, Sendable {
    public let amount: ExactDecimal
    public let from: CurrencyCode
    public let to: CurrencyCode
    /// The converted amount, with the decimals of the currency ``to``.
    public let result: ExactDecimal
    /// The units of ``to`` for one unit of ``from``, with at least six significant digits; nil if that needs more than
    /// ``ExactDecimal/mostPlaces`` decimals.
    public let rate: ExactDecimal?
    public let date: RatesDate
}

public enum ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no rate for this currency.
    case unknown(CurrencyCode)
    /// The result, or an intermediate number, needs more than 38 digits.
    case tooLarge

    public var description: String {
        switch self {
        case .unknown(let currency): "There is no rate for \(currency): \"waymark rates\" prints all rates."
        case .tooLarge: "The amount is too large to be converted exactly: take fewer digits."
        }
    }
}
