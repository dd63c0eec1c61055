// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks

/// In which form results are printed.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

/// Results to stdout, messages to stderr, in the form that was asked for.
struct Output: Sendable {
    let format: OutputFormat
    let out: any ByteSink
    let err: any ByteSink
    /// For stdout.
    let painter: Painter
    /// For stderr.
    let errorPainter: Painter
    /// Columns of the terminal; nil where stdout is none.
    let width: Int?

    /// An id among results: short on a terminal, where people read it; whole for programs and files.
    func id(_ id: UUIDv7) -> String { width == nil || format == .json ? id.description : id.short }

    /// One line of text on stdout. What came from others has to be escaped before.
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

    /// One JSON object on stdout, as one line.
    func object(_ body: (inout JSONWriter) -> Void) throws(SinkError) {
        try out.write(JSONWriter.line(body))
    }

    /// A message that is neither result nor error, on stderr: a line of text, or `{"notice":{"code","message",…}}`.
    ///
    /// A message that cannot be written is lost: there is nowhere left to say so.
    func notice(_ code: String, _ message: String, _ more: (inout JSONWriter) -> Void = { _ in }) {
        switch format {
        case .text: errorLine(errorPainter.paint(Escaping.visible(message), .dim))
        case .json:
            try? err.write(
                JSONWriter.line { writer in
                    writer.key("notice")
                    writer.object {
                        $0.field("code", code)
                        $0.field("message", message)
                        more(&$0)
                    }
                })
        }
    }

    /// Why the command ended, on stderr: a line of text, or `{"error":{"code","message",…}}`.
    func failure(_ failure: Failure) {
        switch format {
        case .text: errorLine("\(errorPainter.paint("error:", .red)) \(Escaping.visibleLines(failure.message))")
        case .json: try? err.write(JSONWriter.line { failure.write(to: &$0) })
        }
    }

    /// One line of text on stderr.
    func errorLine(_ text: String) {
        try? err.write(Array((text + "\n").utf8))
    }
}
