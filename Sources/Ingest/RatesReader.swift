// SPDX-License-Identifier: Apache-2.0

public import Rates

/// Reads the bodies of the usual sources of rates: JSON of Frankfurter, Fixer and Open Exchange Rates, which all have
/// `base` and `rates`, and the daily table of the European Central Bank.
public enum RatesReader {
    /// The largest body of rates that is accepted: all of the world's currencies need some kilobytes.
    public static let mostBytes = 1 << 20

    public static func read(_ bytes: [UInt8]) throws(RatesFormatError) -> ExchangeRates {
        guard bytes.count <= mostBytes else { throw .tooLarge }
        do {
            let bytes = Gzip.isPacked(bytes) ? try Gzip.unpack(bytes, limit: mostBytes) : bytes
            return TableReader.guess(bytes) == .names ? try table(bytes) : try json(bytes)
        } catch let error as RatesFormatError {
            throw error
        } catch {
            throw .unreadable("\(error)")
        }
    }

    private static func json(_ bytes: [UInt8]) throws -> ExchangeRates {
        let root = try JSONReader.read(bytes)
        if let error = root["error"] ?? (root["success"] == .bool(false) ? root : nil) {
            // Fixer: {"success":false,"error":{"type":…,"info":…}}; Open Exchange Rates: {"error":true,"description":…}
            let said = [error["info"], error["type"], root["description"], root["message"], error]
                .lazy.compactMap { $0 }.compactMap(\.scalar).first
            throw RatesFormatError.refused(said ?? "an error")
        }
        guard case .object(let members)? = root["rates"] else { throw RatesFormatError.noRates }
        guard let base = (root["base"]?.scalar).flatMap({ CurrencyCode($0) }) else { throw RatesFormatError.noBase }
        // Frankfurter repeats the amount of the request: {"amount":100.0,"base":"AUD",…}.
        if let amount = root["amount"]?.scalar, ExactDecimal(amount) != ExactDecimal(units: 1, places: 0) {
            throw RatesFormatError.notForOne(amount)
        }
        return try ExchangeRates(base: base, date: date(root), rates: rates(members))
    }

    private static func date(_ root: JSONValue) throws -> RatesDate {
        if let date = (root["date"]?.scalar).flatMap({ RatesDate($0) }) { return date }
        if let seconds = (root["timestamp"]?.scalar).flatMap({ Int($0) }), (0..<253_402_300_800).contains(seconds) {
            return RatesDate(unixSeconds: seconds)
        }
        throw RatesFormatError.noDate
    }

    /// The ECB's table: one row, whose first column is `Date`; units of each currency for one euro.
    private static func table(_ bytes: [UInt8]) throws -> ExchangeRates {
        guard case .array(let rows) = try TableReader.read(bytes).root, rows.count == 1,
            case .object(let members)? = rows.first
        else { throw RatesFormatError.noRates }
        guard let text = members.first(where: { $0.name == "Date" })?.value.scalar, let date = RatesDate(text) else {
            throw RatesFormatError.noDate
        }
        return ExchangeRates(base: .euro, date: date, rates: try rates(members.filter { $0.name != "Date" }))
    }

    /// Members that are no currency, and values that are no number (`N/A`), are passed over.
    private static func rates(_ members: [JSONMember]) throws -> [CurrencyCode: ExactDecimal] {
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
    fileprivate var scalar: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .null, .bool, .array, .object: nil
        }
    }
}

/// Why a body has no rates that can be used.
public enum RatesFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge
    /// Neither JSON nor a table; the sentence of the reader.
    case unreadable(String)
    /// The source's own words.
    case refused(String)
    case noRates, noBase, noDate
    /// The rates are those of another amount than 1.
    case notForOne(String)

    /// One sentence for people.
    public var description: String {
        switch self {
        case .tooLarge: "The body is too large for rates: check the address."
        case .unreadable(let sentence): sentence
        case .refused(let words): "The source refused: \(words)"
        case .noRates: "The body has no rates: check the address."
        case .noBase: "The body does not name the base of its rates: check the address."
        case .noDate: "The body does not say of which day its rates are: check the address."
        case .notForOne(let amount): "The rates are those of \(amount) units: ask the source for an amount of 1."
        }
    }
}
