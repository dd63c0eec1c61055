// SPDX-License-Identifier: Apache-2.0

import JSON
public import Rates

/// Reads exchange rates as the usual sources send them: the JSON of Frankfurter, Fixer, Open Exchange Rates and
/// exchangerate-api, and the tables and XML of the European Central Bank.
public enum RatesReader {
    /// The maximum size of a body in bytes. The rates of all currencies in the world take some kilobytes.
    public static let mostBytes = 1 << 20

    public static func read(_ bytes: [UInt8]) throws(RatesFormatError) -> ExchangeRates {
        guard bytes.count <= mostBytes else { throw .tooLarge }
        do {
            let bytes = Preamble.isPacked(bytes) ? try Gzip.unpack(bytes, limit: mostBytes) : bytes
            try Preamble.check(bytes, allowsXML: true)
            if Preamble.isXML(bytes) { return try centralBankXML(bytes) }
            return TableReader.guess(bytes) == .names ? try centralBankTable(bytes) : try json(bytes)
        } catch let error as RatesFormatError {
            throw error
        } catch {
            throw .unreadable("\(error)")
        }
    }

    private static func json(_ bytes: [UInt8]) throws -> ExchangeRates {
        let root = try JSONReader.read(bytes)
        if let rows = root.elements { return try pairs(rows) }
        let failed = root["success"] == .bool(false) || root["result"]?.scalar == "error"
        if let error = root["error"] ?? (failed ? root : nil) {
            // Fixer: {"success":false,"error":{"type":…,"info":…}}; Open Exchange Rates: {"error":true,"description":…};
            // exchangerate-api: {"result":"error","error-type":…}
            let said = [
                error["info"], error["type"], root["description"], root["message"], root["error-type"], error,
            ].lazy.compactMap { $0 }.compactMap(\.scalar).first
            throw RatesFormatError.refused(said ?? "an error")
        }
        guard case .object(let members)? = root["rates"] ?? root["conversion_rates"] else {
            throw RatesFormatError.noRates
        }
        guard let base = (root["base"] ?? root["base_code"])?.currency else { throw RatesFormatError.noBase }
        // Frankfurter repeats the requested amount, for which the rates are: {"amount":100.0,"base":"AUD",…}.
        if let amount = root["amount"]?.scalar, ExactDecimal(amount) != ExactDecimal.one {
            throw RatesFormatError.notForOne(amount)
        }
        return try ExchangeRates(base: base, date: date(root), rates: rates(members))
    }

    private static func date(_ root: JSONValue) throws -> RatesDate {
        if let date = root["date"]?.date { return date }
        let time = root["timestamp"] ?? root["time_last_update_unix"]
        if let seconds = (time?.scalar).flatMap({ Int($0) }), (0..<253_402_300_800).contains(seconds) {
            return RatesDate(unixSeconds: seconds)
        }
        throw RatesFormatError.noDate
    }

    /// The maximum number of days by which a rate may be older than the newest rate, because weekends and holidays
    /// differ between central banks. An abandoned currency stays in lists with its last day, so it exceeds this number.
    private static let oldest = 7

    /// Reads the second version of Frankfurter's API: `[{"date":…,"base":"EUR","quote":"AUD","rate":1.63},…]`. The
    /// newest row of each currency is used. The date of the result is the oldest date of these rows.
    private static func pairs(_ rows: [JSONValue]) throws -> ExchangeRates {
        var bases: Set<CurrencyCode> = []
        var newest: [String: (date: RatesDate, rate: JSONValue)] = [:]
        for row in rows {
            guard let quote = row["quote"]?.scalar, let rate = row["rate"] else { throw RatesFormatError.noRates }
            guard let base = row["base"]?.currency else { throw RatesFormatError.noBase }
            guard let date = row["date"]?.date else { throw RatesFormatError.noDate }
            bases.insert(base)
            if let known = newest[quote], known.date >= date { continue }
            newest[quote] = (date, rate)
        }
        guard let last = newest.values.map(\.date).max() else { throw RatesFormatError.noRates }
        guard bases.count == 1, let base = bases.first else { throw RatesFormatError.noBase }
        let current = newest.filter { last.days - $0.value.date.days <= oldest }
        return ExchangeRates(
            base: base, date: current.values.map(\.date).min() ?? last,
            rates: try rates(current.map { JSONMember(name: $0.key, value: $0.value.rate) }))
    }

    /// Reads the rates in an object. Skips members that are no currency, and values that are no number (`N/A`).
    static func rates(_ members: [JSONMember]) throws -> [CurrencyCode: ExactDecimal] {
        guard members.count <= ExchangeRates.mostRates else { throw RatesFormatError.tooLarge }
        var rates: [CurrencyCode: ExactDecimal] = [:]
        for member in members {
            guard let code = CurrencyCode(member.name), let text = member.value.scalar,
                let rate = ExactDecimal(text.filter { $0 != " " }), rate.units > 0
            else { continue }
            rates[code] = rate
        }
        guard !rates.isEmpty else { throw RatesFormatError.noRates }
        return rates
    }
}

extension JSONValue {
    var scalar: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .null, .bool, .array, .object: nil
        }
    }

    var date: RatesDate? { scalar.flatMap { RatesDate($0) } }
    var currency: CurrencyCode? { scalar.flatMap { CurrencyCode($0) } }
}

/// The reason why a body contains no usable rates.
public enum RatesFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge
    /// The body is neither JSON nor a table nor XML. The text is the sentence of the reader that failed.
    case unreadable(String)
    /// The source refused the request. The text comes from the source.
    case refused(String)
    case noRates, noBase, noDate
    /// The rates are for an amount other than 1.
    case notForOne(String)

    /// The reason in one sentence for people.
    public var description: String {
        switch self {
        case .tooLarge: "The body is too large for rates: check the address."
        case .unreadable(let sentence): sentence
        case .refused(let words): "The source refused: \(words)"
        case .noRates:
            "The body has no rates in a known form: give the address of Frankfurter's, exchangerate-api's, Fixer's or "
                + "Open Exchange Rates' JSON, or of the European Central Bank's table or XML."
        case .noBase: "The body does not name the base of its rates: check the address."
        case .noDate: "The body does not name the day of its rates: check the address."
        case .notForOne(let amount): "The rates are those of \(amount) units: ask the source for an amount of 1."
        }
    }
}
