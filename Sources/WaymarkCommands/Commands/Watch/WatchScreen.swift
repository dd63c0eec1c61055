// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkClient
import ZeroMQ

/// Shows a list: in place on a terminal, one after another elsewhere, or as events.
final class WatchScreen: Sendable {
    private struct Shown {
        var list: WatchList?
        /// Lines of it on the terminal, the cursor standing below the last.
        var lines = 0
        var size: ScreenSize?
    }

    private let output: Output
    private let surroundings: Surroundings
    private let shown = Locked(Shown())

    init(_ output: Output, _ surroundings: Surroundings) {
        (self.output, self.surroundings) = (output, surroundings)
    }

    /// Nothing is written when the list looks the same.
    func show(_ list: WatchList) throws(SinkError) {
        let result: Result<Void, SinkError> = shown.withLock { shown in
            do throws(SinkError) {
                try show(list, &shown)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// A line on stderr. On a terminal the list is drawn below it at the next change.
    func notice(_ code: String, _ message: String) {
        shown.withLock { shown in
            output.notice(code, message)
            if surroundings.errWidth != nil { shown.lines = 0 }
        }
    }

    private func show(_ list: WatchList, _ shown: inout Shown) throws(SinkError) {
        let old = shown.list
        shown.list = list
        if output.format == .json {
            for event in list.events(since: old?.hits ?? []) {
                try output.object { $0.fields(event, asOf: list.position) }
            }
            return
        }
        guard old?.hits != list.hits || old?.here != list.here else { return }
        if let size = surroundings.screenSize(), surroundings.variable("TERM") != "dumb" {
            try draw(list, size, &shown)
        } else {
            try output.lines((old == nil ? [] : [""]) + lines(list, width: nil))
        }
    }

    private func draw(_ list: WatchList, _ size: ScreenSize, _ shown: inout Shown) throws(SinkError) {
        // One line is the cursor's.
        let lines = lines(list, width: size.columns).prefix(max(1, size.rows - 1))
        // After a change of its size a terminal has broken the lines anew, and nobody knows where.
        let isResized = shown.size.map { $0 != size } ?? false
        let start = isResized ? "\u{1b}[H\u{1b}[2J" : shown.lines > 0 ? "\u{1b}[\(shown.lines)A" : ""
        // No line is wrapped, so that one is one; then what is left of a longer list goes.
        let body = lines.map { "\r\u{1b}[K\($0)\n" }.joined()
        try output.out.write(Array("\(start)\u{1b}[?7l\(body)\u{1b}[J\u{1b}[?7h".utf8))
        (shown.lines, shown.size) = (lines.count, size)
    }

    private func lines(_ list: WatchList, width: Int?) -> [String] {
        let count = list.hits.isEmpty ? "no landmarks" : Figures.count(UInt64(list.hits.count), "landmark", "landmarks")
        let title = "\(count) near \(Figures.position(list.here)), revision \(list.position.rev)"
        let heading = output.painter.paint(width.map { DisplayWidth.cut(title, to: $0) } ?? title, .dim)
        guard !list.hits.isEmpty else { return [heading] }
        // The last columns go first where there is no room for them.
        for columns in [6, 5, 4] {
            let table = table(list.hits, columns: columns)
            let plain = table.lines(Painter(isColoured: false), width: width)
            guard let width, columns > 4, plain.contains(where: { DisplayWidth.of($0) > width }) else {
                return [heading] + table.lines(output.painter, width: width)
            }
        }
        return [heading]
    }

    private func table(_ hits: [Hit], columns: Int) -> TextTable {
        let all: [TextTable.Column] = [
            .init(title: "DISTANCE", alignment: .right, style: .bold), .init(title: "BEARING", alignment: .right),
            .init(title: "NAME", isFlexible: true), .init(title: "KIND"), .init(title: "USER"),
            .init(title: "ID", style: .dim),
        ]
        var table = TextTable(Array(all.prefix(columns)))
        for hit in hits {
            let landmark = hit.landmark
            let user = landmark.user.isEmpty ? landmark.source.map { "(\($0.name))" } ?? "-" : landmark.user
            let cells = [
                Figures.distance(hit.distance), Figures.bearing(hit.distance == 0 ? nil : hit.bearing), landmark.name,
                landmark.kind.nilIfEmpty ?? "-", user, landmark.id.description,
            ]
            table.add(Array(cells.prefix(columns)))
        }
        return table
    }
}
