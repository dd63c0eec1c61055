// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkClient
import ZeroMQ

/// Shows a list: redrawn in place on a terminal, printed again elsewhere, or as JSON events.
final class WatchScreen: Sendable {
    private struct Shown {
        var list: WatchList?
        /// The lines of the list on the terminal. The cursor stands below the last one.
        var lines = 0
        var size: ScreenSize?
    }

    private let output: Output
    private let surroundings: Surroundings
    private let shown = Locked(Shown())

    private let unit: DistanceUnit?

    init(_ output: Output, _ surroundings: Surroundings, unit: DistanceUnit? = nil) {
        (self.output, self.surroundings, self.unit) = (output, surroundings, unit)
    }

    /// Draws the same list again after the terminal's size has changed.
    func redraw() {
        shown.withLock { shown in
            guard output.format == .text, let list = shown.list, let size = surroundings.screenSize(),
                shown.size != nil,
                size != shown.size
            else { return }
            // If the terminal is gone, showing the next list reports it.
            try? draw(list, size, &shown)
        }
    }

    /// Writes nothing if the list looks the same.
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

    /// Prints a line on stderr. On a terminal the next change draws the list below it.
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
        // One line is left for the cursor.
        let lines = lines(list, width: size.columns).prefix(max(1, size.rows - 1))
        // After a resize the terminal may have wrapped the lines, so their number is unknown.
        let isResized = shown.size.map { $0 != size } ?? false
        let start = isResized ? "\u{1b}[H\u{1b}[2J" : shown.lines > 0 ? "\u{1b}[\(shown.lines)A" : ""
        // Wrapping is off, so that each line takes one row. Then the rest of a longer list is cleared.
        let body = lines.map { "\r\u{1b}[K\($0)\n" }.joined()
        try output.out.write(Array("\(start)\u{1b}[?7l\(body)\u{1b}[J\u{1b}[?7h".utf8))
        (shown.lines, shown.size) = (lines.count, size)
    }

    private func lines(_ list: WatchList, width: Int?) -> [String] {
        let count = list.hits.isEmpty ? "no landmarks" : Figures.count(UInt64(list.hits.count), "landmark", "landmarks")
        let title = "\(count) near \(Figures.position(list.here)), revision \(list.position.rev)"
        let heading = output.painter.paint(width.map { DisplayWidth.cut(title, to: $0) } ?? title, .dim)
        guard !list.hits.isEmpty else { return [heading] }
        var table = HitTable(output, isMeasured: true, unit: unit)
        for hit in list.hits { table.add(hit) }
        return [heading] + table.table.lines(output.painter, width: width)
    }
}
