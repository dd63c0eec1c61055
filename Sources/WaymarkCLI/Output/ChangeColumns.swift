// SPDX-License-Identifier: Apache-2.0

/// The widths of the columns in lines of changes; 0 hides a column.
///
/// The widths depend on the terminal's width alone, so lines that arrive one by one stay aligned. A terminal that is
/// too narrow for all columns loses them in this order: the date, the user, the revision, the id, the time, the place.
/// The operation and the name stay.
struct ChangeColumns: Hashable {
    static let operation = 7
    static let clock = 8
    static let gap = 2
    private static let names = 12...32
    private static let drops: [(column: any WritableKeyPath<ChangeColumns, Int> & Sendable, to: Int)] = [
        (\.time, clock), (\.user, 0), (\.rev, 0), (\.id, 0), (\.time, 0), (\.place, 0),
    ]

    /// The width of the time with its date.
    private(set) var time = 19
    private(set) var rev: Int
    private(set) var name = 24
    private(set) var place = 20
    private(set) var user = 12
    private(set) var id: Int

    /// - Parameters:
    ///   - width: the columns of the terminal; nil shows all columns, for other outputs.
    ///   - rev: the revision of the line. Later ones may have more digits, and shift the columns beside them.
    ///   - id: the width of an id.
    init(width: Int?, rev: UInt64, id: Int) {
        (self.rev, self.id) = (max(6, String(rev).utf8.count), id)
        guard let width else { return }
        name = Self.names.lowerBound
        for (column, less) in Self.drops where total > width { self[keyPath: column] = less }
        name = min(Self.names.upperBound, name + max(0, width - total))
    }

    /// The width from the time to the place.
    var front: Int { Self.sum([time, rev, Self.operation, name, place]) }

    private var total: Int { Self.sum([time, rev, Self.operation, name, place, user, id]) }

    /// The width of several columns with the gaps between them.
    static func sum(_ widths: [Int]) -> Int {
        let shown = widths.filter { $0 > 0 }
        return shown.reduce(0, +) + gap * max(0, shown.count - 1)
    }
}
