// SPDX-License-Identifier: Apache-2.0

import JSON
import Rates

/// The European Central Bank's reference rates: units of each currency for one euro. Its files with a history have many
/// days, of which the newest counts.
extension RatesReader {
    /// A row for each day, whose first column is `Date`.
    static func centralBankTable(_ bytes: [UInt8]) throws -> ExchangeRates {
        guard case .array(let rows) = try TableReader.read(bytes).root, !rows.isEmpty else {
            throw RatesFormatError.noRates
        }
        var newest: (date: RatesDate, members: [JSONMember])?
        for row in rows {
            guard case .object(let members) = row, let date = (row["Date"]?.scalar).flatMap({ RatesDate($0) }) else {
                throw RatesFormatError.noDate
            }
            if let newest, newest.date >= date { continue }
            newest = (date, members)
        }
        guard let newest else { throw RatesFormatError.noRates }
        return ExchangeRates(
            base: .euro, date: newest.date, rates: try rates(newest.members.filter { $0.name != "Date" }))
    }

    /// `<Cube time="2026-11-24"><Cube currency="USD" rate="1.05"/>…</Cube>`.
    static func centralBankXML(_ bytes: [UInt8]) throws -> ExchangeRates {
        var reader = XMLReader(bytes)
        var newest: (date: RatesDate, members: [JSONMember])?
        // Whether the rates being read are of the newest day so far.
        var isNewest = false
        while let piece = try reader.next() {
            guard case .start("Cube", let attributes) = piece else { continue }
            if let time = attributes["time"] {
                guard let date = RatesDate(time) else { throw RatesFormatError.noDate }
                isNewest = newest.map { $0.date < date } ?? true
                if isNewest { newest = (date, []) }
            } else if isNewest, let currency = attributes["currency"], let rate = attributes["rate"] {
                newest?.members.append(JSONMember(name: currency, value: .string(rate)))
            }
        }
        guard let newest else { throw RatesFormatError.noRates }
        return ExchangeRates(base: .euro, date: newest.date, rates: try rates(newest.members))
    }
}
