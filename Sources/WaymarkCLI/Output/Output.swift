// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkJSON

enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

/// Writes results to stdout and messages to stderr, in the chosen format.
struct Output: Sendable {
    let format: OutputFormat
    let out: any ByteSink
    let err: any ByteSink
    /// Adds colour to text on stdout.
    let painter: Painter
    /// Adds colour to text on stderr.
    let errorPainter: Painter
    /// Returns the present width of the terminal in columns, which a person may change; nil if stdout is no terminal.
    let columns: @Sendable () -> Int?
    var width: Int? { columns() }

    /// Formats an id in a result: short for people on a terminal, in full for programs and files.
    func id(_ id: UUIDv7) -> String { width == nil || format == .json ? id.description : id.short }

    /// Writes one line of text to stdout. The caller must escape text that comes from other people.
    func line(_ text: String) throws(SinkError) {
        try out.write(Array((text + "\n").utf8))
    }

    func lines(_ lines: [String]) throws(SinkError) {
        guard !lines.isEmpty else { return }
        try line(lines.joined(separator: "\n"))
    }

    func table(_ table: TextTable) throws(SinkError) {
        try lines(table.lines(painter, width: width))
    }

    /// Writes one JSON object to stdout, as one line.
    func object(_ body: (inout JSONWriter) -> Void) throws(SinkError) {
        try out.write(JSONWriter.line(body))
    }

    /// Writes a result: text for people, or one JSON object for programs.
    ///
    /// - Parameter text: one or more lines, escaped as for ``line(_:)``.
    func result(
        _ text: @autoclosure () -> String, _ body: (inout JSONWriter) -> Void
    ) throws(SinkError) {
        switch format {
        case .json: try object(body)
        case .text: try line(text())
        }
    }

    /// Writes a list: a table for people, or a JSON object for each element.
    ///
    /// - Parameter none: the notice for people if the list is empty; nil to print the table's header.
    func list<Element>(
        _ elements: some Collection<Element>, _ columns: [TextTable.Column], none: String? = nil,
        object body: (inout JSONWriter, Element) -> Void, cells: (Element) -> [String]
    ) throws(SinkError) {
        if format == .json {
            for element in elements { try object { body(&$0, element) } }
            return
        }
        if elements.isEmpty, let none { return notice("none", none) }
        try table(TextTable(columns, rows: elements.map(cells)))
    }

    /// Writes a message to stderr that is neither a result nor an error: a line of text, or
    /// `{"notice":{"code","message",…}}`.
    ///
    /// If the message cannot be written, it is lost, because there is no other place to report it.
    func notice(_ code: String, _ message: String, _ more: (inout JSONWriter) -> Void = { _ in }) {
        switch format {
        case .text: errorLine(errorPainter.paint(Escaping.visible(message), .dim))
        case .json:
            try? err.write(
                JSONWriter.line { writer in
                    writer.object("notice") {
                        $0.field("code", code)
                        $0.field("message", message)
                        more(&$0)
                    }
                })
        }
    }

    /// Writes to stderr why the command failed: a line of text, or `{"error":{"code","message",…}}`.
    func failure(_ failure: Failure) {
        switch format {
        case .text: errorLine("\(errorPainter.paint("error:", .red)) \(Escaping.visibleLines(failure.message))")
        case .json: try? err.write(JSONWriter.line { failure.write(to: &$0) })
        }
    }

    /// Writes one line of text to stderr.
    func errorLine(_ text: String) {
        try? err.write(Array((text + "\n").utf8))
    }
}
