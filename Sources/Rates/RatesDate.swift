// SPDX-License-Identifier: Apache-2.0

@_exported public import CivilDates

/// The date of exchange rates.
public typealias RatesDate = CivilDate

extension CivilDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Reads `2026-10-30`, also with a time after it, or `30 October 2026`, as the ECB's table writes it. The date must
    /// be in 1970 or later.
    public init?(_ text: some StringProtocol) {
        let words = text.split { $0 == " " || $0 == "T" }
        var numbers: [Int?] = []
        if words.count == 3, let month = Self.months.firstIndex(of: words[1].prefix(3).lowercased()) {
            numbers = [Int(words[2]), month + 1, Int(words[0])]
        } else if let first = words.first, first.utf8.count == 10 {
            numbers = first.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        }
        guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
            (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard parts.day == day else { return nil }
    }
}
