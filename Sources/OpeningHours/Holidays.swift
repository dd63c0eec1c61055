// SPDX-License-Identifier: Apache-2.0

/// The kinds of holidays that opening hours can name. There is no calendar of holidays: each day may be any of them.
struct Holidays: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// `PH`: a public holiday.
    static let `public` = Holidays(rawValue: 1)
    /// `SH`: a day of school holidays.
    static let school = Holidays(rawValue: 2)
    /// `PH -1 day`: a day near a public holiday. It need not be a holiday itself.
    static let shifted = Holidays(rawValue: 4)

    /// All sets of kinds that a day may belong to if the opening hours name the kinds in this set.
    var combinations: [Holidays] { (UInt8(1)...7).map { Holidays(rawValue: $0) }.filter { isSuperset(of: $0) } }
}
