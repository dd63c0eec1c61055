// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import WaymarkClient

/// Prints what a question found, page by page: objects at once, a table when it is complete.
struct HitPrinter {
    let output: Output
    /// Distance and bearing are known.
    let isMeasured: Bool
    private var table: TextTable
    private(set) var count = 0

    init(_ output: Output, isMeasured: Bool) {
        self.output = output
        self.isMeasured = isMeasured
        var columns: [TextTable.Column] = []
        if isMeasured {
            columns = [
                .init(title: "DISTANCE", alignment: .right, style: .bold), .init(title: "BEARING", alignment: .right),
            ]
        }
        columns.append(.init(title: "NAME", style: isMeasured ? .plain : .bold, isFlexible: true))
        if !isMeasured { columns.append(.init(title: "POSITION")) }
        columns += [.init(title: "KIND"), .init(title: "USER"), .init(title: "ID", style: .dim)]
        table = TextTable(columns)
    }

    mutating func print(_ hits: [Hit]) throws(SinkError) {
        count += hits.count
        for hit in hits {
            switch output.format {
            case .json: try output.object { $0.fields(hit, isMeasured: isMeasured) }
            case .text: table.add(cells(hit))
            }
        }
    }

    /// - Parameters:
    ///   - cursor: of the last page, where another one follows.
    ///   - showsCursor: for programs: as a last object on stdout, null at the end of all pages.
    func finish(cursor: Data?, showsCursor: Bool) throws(SinkError) {
        let text = cursor.map(CursorText.encode)
        if output.format == .text {
            if !table.isEmpty { try output.table(table) }
            if count == 0 { output.notice("none", "No landmarks were found.") }
        } else if showsCursor {
            try output.object { $0.field("cursor", text) }
            return
        }
        if let text {
            output.notice("more", "There are more: go on with --after \(text)") { $0.field("cursor", text) }
        }
    }

    private func cells(_ hit: Hit) -> [String] {
        let landmark = hit.landmark
        // From a place to itself there is no direction.
        let bearing = hit.distance == 0 ? nil : hit.bearing
        var cells = isMeasured ? [Figures.distance(hit.distance), Figures.bearing(bearing)] : []
        cells.append(landmark.name)
        if !isMeasured { cells.append(Figures.position(landmark.coordinate)) }
        let user = landmark.user.isEmpty ? landmark.source.map { "(\($0.name))" } ?? "-" : landmark.user
        return cells + [landmark.kind.nilIfEmpty ?? "-", user, landmark.id.description]
    }
}
