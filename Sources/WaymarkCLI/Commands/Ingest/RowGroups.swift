// SPDX-License-Identifier: Apache-2.0

import Ingest
import WaymarkJSON

/// Messages about rows, in which rows with the same message are grouped under one line.
struct RowGroups {
    private static let few = 3
    private static let mostGroups = 10

    /// The groups, largest first.
    let groups: [[SourceNotice]]

    init(_ notices: [SourceNotice]) {
        let groups = Dictionary(grouping: notices.enumerated()) { _, notice in
            notice.common.isEmpty ? notice.text : notice.common
        }
        // Groups of the same size are ordered by their first rows.
        let sorted = groups.values.sorted { ($1.count, $0[0].offset) < ($0.count, $1[0].offset) }
        self.groups = sorted.map { $0.map(\.element) }
    }

    /// - Parameters:
    ///   - word: says what happened to the rows, such as `rejected`.
    ///   - showsAll: whether to list every row with its message.
    func lines(_ word: String, showsAll: Bool, _ painter: Painter) -> [String] {
        let head = painter.paint(word + ":", .yellow)
        if showsAll { return groups.joined().map { "\(head) \(Self.text($0, after: nil))" } }
        var lines: [String] = []
        for group in groups.prefix(Self.mostGroups) {
            guard group.count > 1 else {
                lines.append("\(head) \(Self.text(group[0], after: nil))")
                continue
            }
            let count = Figures.count(UInt64(group.count))
            let common = group[0].common.isEmpty ? "have the same message" : group[0].common
            lines.append("\(head) \(count) rows \(Escaping.visible(common))")
            var last: String?
            for notice in group.prefix(Self.few) {
                lines.append("  \(Self.text(notice, after: last))")
                last = notice.text
            }
            if group.count > Self.few { lines.append("  …") }
        }
        let left = groups.dropFirst(Self.mostGroups)
        if !left.isEmpty {
            let rows = Figures.count(UInt64(left.reduce(0) { $0 + $1.count }), "row", "rows")
            lines.append("\(head) \(rows) for \(left.count) other reasons: --all-rejected lists them")
        }
        return lines
    }

    /// Formats the line of one row. Leaves out its message if the row above has the same message.
    private static func text(_ notice: SourceNotice, after last: String?) -> String {
        let place = Escaping.visible(notice.place)
        if notice.text == last { return place }
        let sentence = Escaping.visible(notice.text)
        return place.isEmpty ? sentence : "\(place): \(sentence)"
    }
}
