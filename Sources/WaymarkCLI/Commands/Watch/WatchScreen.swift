// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Shows a list. On a terminal it is redrawn in place, and rows that came or changed are marked for a while. To other
/// outputs the whole list is printed again, or its changes as JSON events.
final class WatchScreen: Sendable {
    private struct Shown {
        var list: WatchList?
        var marks = WatchMarks()
        /// The number of lines of the list on the terminal. The cursor stands below the last line.
        var lines = 0
        var size: ScreenSize?
    }

    private let output: Output
    private let surroundings: Surroundings
    private let shown = Locked(Shown())

    private let unit: DistanceUnit?
    private let markTime: Duration
    private let (marked, mark) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        _ output: Output, _ surroundings: Surroundings, unit: DistanceUnit? = nil, markTime: Duration = .seconds(5)
    ) {
        (self.output, self.surroundings, self.unit, self.markTime) = (output, surroundings, unit, markTime)
    }

    /// Removes marks once their time is over, until the task is cancelled.
    func fade() async {
        for await _ in marked {
            while let next = shown.withLock({ $0.marks.next }) {
                guard (try? await Task.sleep(until: next)) != nil else { return }
                shown.withLock { shown in
                    shown.marks.expire(at: .now)
                    // After a notice the list is no longer on the terminal. The next change draws it below the notice.
                    guard let list = shown.list, let size = surroundings.screenSize(), shown.lines > 0 else { return }
                    try? draw(list, size, &shown)
                }
            }
        }
    }

    /// Draws the same list again after the terminal was resized.
    func redraw() {
        shown.withLock { shown in
            guard output.format == .text, let list = shown.list, let size = surroundings.screenSize(),
                shown.size != nil, size != shown.size
            else { return }
            // If the terminal is gone, the next call of `show` reports the error.
            try? draw(list, size, &shown)
        }
    }

    /// Shows the list, unless it looks the same as the list shown before.
    func show(_ list: WatchList) throws(SinkError) {
        try shown.withLock { shown throws(SinkError) in try show(list, &shown) }
    }

    /// Prints a line on stderr. On a terminal the next change draws the list below the line.
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
            if let old {
                shown.marks.apply(list.events(since: old.hits), until: .now + markTime)
                mark.yield()
            }
            try draw(list, size, &shown)
        } else {
            try output.lines((old == nil ? [] : [""]) + lines(list, WatchMarks(), nil))
        }
    }

    private func draw(_ list: WatchList, _ size: ScreenSize, _ shown: inout Shown) throws(SinkError) {
        // One line of the terminal is left for the cursor.
        let lines = fitting(lines(list, shown.marks, size.columns), of: list.hits.count, max(1, size.rows - 1))
        // After a resize the terminal may have wrapped the lines, so the number of rows they take is unknown.
        let isResized = shown.size.map { $0 != size } ?? false
        let start = isResized ? "\u{1b}[H\u{1b}[2J" : shown.lines > 0 ? "\u{1b}[\(shown.lines)A" : ""
        // Line wrapping is turned off meanwhile, so each line takes one row. The rest of a longer list is cleared.
        let body = lines.map { "\r\u{1b}[K\($0)\n" }.joined()
        try output.out.write(Array("\(start)\u{1b}[?7l\(body)\u{1b}[J\u{1b}[?7h".utf8))
        (shown.lines, shown.size) = (lines.count, size)
    }

    /// Returns the lines that fit on the terminal. If some do not, the last line says how many landmarks are missing.
    private func fitting(_ lines: [String], of count: Int, _ room: Int) -> [String] {
        guard lines.count > room, room > 1 else { return Array(lines.prefix(room)) }
        let front = lines.prefix(room - 1)
        // The first two lines are the heading and the titles.
        let more = count - max(0, front.count - 2)
        return front + [output.painter.paint("… \(Figures.count(UInt64(more))) more", .dim)]
    }

    /// Formats the list. Without colour, each row begins with its mark as a character.
    private func lines(_ list: WatchList, _ marks: WatchMarks, _ width: Int?) -> [String] {
        let count = list.hits.isEmpty ? "no landmarks" : Figures.count(UInt64(list.hits.count), "landmark", "landmarks")
        let title = "\(count) near \(Figures.position(list.here)), revision \(list.position.rev)"
        let heading = output.painter.paint(width.map { DisplayWidth.cut(title, to: $0) } ?? title, .dim)
        guard !list.hits.isEmpty else { return [heading] }
        var table = HitTable(output, isMeasured: true, unit: unit)
        for hit in list.hits { table.add(hit, style: marks[hit.landmark.id]?.style) }
        guard let width, !output.painter.isColoured else {
            return [heading] + table.table.lines(output.painter, width: width)
        }
        let signs = [" "] + list.hits.map { String(marks[$0.landmark.id]?.rawValue ?? " ") }
        return [heading] + zip(signs, table.table.lines(output.painter, width: width - 2)).map { "\($0) \($1)" }
    }
}
