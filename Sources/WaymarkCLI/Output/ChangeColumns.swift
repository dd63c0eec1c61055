// SPDX-License-Identifier: Apache-2.0

/// The widths of the columns in lines about changes. The width 0 hides a column.
///
/// The widths depend only on the terminal's width, so that lines which arrive one by one stay aligned. On a terminal
/// that is too narrow for all columns they are hidden in this order: the date, the user, the revision, the id, the
/// time, the position. The operation and the name are never hidden.
struct ChangeColumns: Hashable {
    static let operation = 7
    static let clock = 8
    static let gap = 2
    private static let names = 12...32
    private static let drops: [(column: any WritableKeyPath<ChangeColumns, Int> & Sendable, to: Int)] = [
        (\.time, clock), (\.user, 0), (\.rev, 0), (\.id, 0), (\.time, 0), (\.place, 0),
    ]

    /// The width of the time together with the date.
    private(set) var time = 19
    private(set) var rev: Int
    private(set) var name = 24
    private(set) var place = 20
    private(set) var user = 12
    private(set) var id: Int

    /// - Parameters:
    ///   - width: the terminal's width in columns; nil shows all columns, for other outputs.
    ///   - rev: the revision of the line. Later revisions may have more digits and shift the columns to their right.
    ///   - id: the width of an id.
    init(width: Int?, rev: UInt64, id: Int) {
        (self.rev, self.id) = (max(6, String(rev).utf8.count), id)
        guard let width else { return }
        name = Self.names.lowerBound
        for (column, less) in Self.drops where total > width { self[keyPath: column] = less }
        name = min(Self.names.upperBound, name + max(0, width - total))
    }

    /// The width of the columns from the time to the position.
    var front: Int { Self.sum([time, rev, Self.operation, name, place]) }

    private var total: Int { Self.sum([time, rev, Self.operation, name, place, user, id]) }

    /// Returns the width of several columns and the gaps between them.
    static func sum(_ widths: [Int]) -> Int {
        let shown = widths.filter { $0 > 0 }
        return shown.reduce(0, +) + gap * max(0, shown.count - 1)
    }
}
