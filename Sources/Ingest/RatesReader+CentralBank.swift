// SPDX-License-Identifier: Apache-2.0

import JSON
import Rates

/// Reads the European Central Bank's reference rates, that is, units of each currency for one euro. Files with
/// historical rates contain many days; only the newest day is used.
extension RatesReader {
    private typealias Day = (date: RatesDate, rates: [JSONMember])

    /// Reads a table with a row for each day, whose first column is `Date`.
    static func centralBankTable(_ bytes: [UInt8]) throws -> ExchangeRates {
        try newest(
            (TableReader.read(bytes).root.elements ?? []).map { row throws -> Day in
                guard case .object(let members) = row, let date = row["Date"]?.date else {
                    throw RatesFormatError.noDate
                }
                return (date, members.filter { $0.name != "Date" })
            })
    }

    /// Reads `<Cube time="2026-11-24"><Cube currency="USD" rate="1.05"/>…</Cube>`.
    static func centralBankXML(_ bytes: [UInt8]) throws -> ExchangeRates {
        var reader = XMLReader(bytes)
        var days: [Day] = []
        while let piece = try reader.next() {
            guard case .start("Cube", let attributes) = piece else { continue }
            if let time = attributes["time"] {
                guard let date = RatesDate(time) else { throw RatesFormatError.noDate }
                days.append((date, []))
            } else if !days.isEmpty, let currency = attributes["currency"], let rate = attributes["rate"] {
                days[days.count - 1].rates.append(JSONMember(name: currency, value: .string(rate)))
            }
        }
        return try newest(days)
    }

    private static func newest(_ days: [Day]) throws -> ExchangeRates {
        guard let newest = days.max(by: { $0.date < $1.date }) else { throw RatesFormatError.noRates }
        return ExchangeRates(base: .euro, date: newest.date, rates: try rates(newest.rates))
    }
}
