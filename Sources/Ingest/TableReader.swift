// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

/// Reads comma-separated values (RFC 4180) whose first line contains the names of the columns. Semicolons, tabs and
/// vertical bars also work as separators. A line `sep=;` before the names, as Excel writes it, sets any other
/// separator.
///
/// Each line becomes an object with its non-empty cells, except cells of columns without a name. The number of values
/// has the same limit as in JSON.
struct TableReader {
    /// The maximum length of the first line that is examined, in bytes.
    private static let headerLimit = 64 * 1024
    private static let separators = ",;\t|".utf8.map { $0 }
    private static let quote = UInt8(ascii: "\"")

    private let bytes: [UInt8]
    private let separator: UInt8
    private var position: Int
    private var line = 1
    private var values = 0

    /// A guess about the first line of a body.
    enum Guess {
        /// At least two names of columns.
        case names
        /// Cells, some of which are numbers: a table without names of columns.
        case values
        /// Something else, such as JSON.
        case other
    }

    /// - Parameter known: names of columns that identify a header line even if other columns are numbers, such as
    ///   years.
    static func guess(_ bytes: [UInt8], known: Set<String> = FormatDetection.positionColumns) -> Guess {
        let start = Preamble.length(of: bytes)
        // A tab may come first, because pandas gives the first column no name.
        guard let first = bytes[start...].drop(while: { $0 == 0x09 }).first, first > 0x20, !"{[<".utf8.contains(first)
        else { return .other }
        var reader = TableReader(bytes, from: start)
        guard let cells = try? reader.record().map({ String($0.trimmed) }), cells.count > 1 else { return .other }
        let names = cells.filter { !$0.isEmpty && DecimalText.number($0) == nil }
        if names.count(where: { known.contains($0) || known.contains($0.lowercased()) }) > 1 { return .names }
        let blanks = cells.count { $0.isEmpty }
        if names.count == cells.count - blanks {
            return names.count > 1 && names.allSatisfy { $0.utf8.count < 100 } ? .names : .other
        }
        // A line of prose may contain a comma and a number. Two cells are a table only if the next line also has two.
        guard cells.count == 2 else { return .values }
        return (try? reader.record())?.count == 2 ? .values : .other
    }

    static func read(_ bytes: [UInt8]) throws(SourceFormatError) -> SourceDocument {
        var reader = TableReader(bytes, from: Preamble.length(of: bytes))
        var document = SourceDocument(syntax: .table, root: .null)
        document.columns = try reader.record().map { String($0.trimmed) }
        let columns = document.columns
        var rows: [JSONValue] = []
        while reader.position < bytes.count {
            let line = reader.line
            let cells = try reader.record()
            if cells.count == 1, cells[0].isEmpty { continue }
            if cells.count > columns.count, cells[columns.count...].contains(where: { !$0.isEmpty }) {
                document.faults[rows.count] = RowReason(
                    "The row has \(cells.count) cells, and the first line only \(columns.count).",
                    of: "have more cells than the first line")
            }
            rows.append(.object(members(columns, cells)))
            document.lines.append(line)
        }
        document.root = .array(rows)
        return document
    }

    private static func members(_ columns: [String], _ cells: [String]) -> [JSONMember] {
        zip(columns, cells).lazy.filter { !$0.isEmpty && !$1.isEmpty }.map { JSONMember(name: $0, value: .string($1)) }
    }

    private init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        position = start
        let header = bytes[start...].prefix(Self.headerLimit).prefix { $0 != 0x0a && $0 != 0x0d }
        if let named = Self.namedSeparator(header) {
            separator = named
            position = header.endIndex
            skipLineEnd()
            return
        }
        var isQuoted = false
        let plain = header.filter { byte in
            if byte == Self.quote { isQuoted.toggle() }
            return !isQuoted
        }
        // Use the most frequent separator; if several are equally frequent, the first of them in the list.
        let most = Self.separators.max { one, other in plain.count { $0 == one } < plain.count { $0 == other } }
        separator = most ?? UInt8(ascii: ",")
    }

    /// Reads the cells of a record. A record extends over several lines if a quoted cell contains line ends.
    private mutating func record() throws(SourceFormatError) -> [String] {
        var cells: [String] = []
        while true {
            values += 1
            if values > JSONReader.valueLimit { throw .unreadable(.tooManyValues(limit: JSONReader.valueLimit)) }
            cells.append(try cell())
            guard position < bytes.count else { return cells }
            if bytes[position] == separator {
                position += 1
                continue
            }
            skipLineEnd()
            return cells
        }
    }

    /// Skips one line end, which is a line feed, a carriage return, or both.
    private mutating func skipLineEnd() {
        guard position < bytes.count else { return }
        let isReturn = bytes[position] == 0x0d
        position += 1
        if isReturn, position < bytes.count, bytes[position] == 0x0a { position += 1 }
        line += 1
    }

    /// Returns the separator that a line such as `sep=;` sets, in quotes or not; nil for any other line.
    private static func namedSeparator(_ line: ArraySlice<UInt8>) -> UInt8? {
        var line = line
        if line.count >= 2, line.first == quote, line.last == quote { line = line.dropFirst().dropLast() }
        guard line.count == 5, let last = line.last,
            String(decoding: line.prefix(4), as: UTF8.self).lowercased() == "sep=",
            separators.contains(last) || last == UInt8(ascii: ":") || last == 0x20
        else { return nil }
        return last
    }

    /// Whether a separator, a line end or the end of the body comes next.
    private var isAtCellEnd: Bool {
        guard position < bytes.count else { return true }
        return bytes[position] == separator || bytes[position] == 0x0a || bytes[position] == 0x0d
    }

    /// Reads a cell up to a separator or line end, which is left for the next call.
    private mutating func cell() throws(SourceFormatError) -> String {
        if position < bytes.count, bytes[position] == Self.quote { return try quotedCell() }
        let start = position
        while !isAtCellEnd { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quotedCell() throws(SourceFormatError) -> String {
        let opened = line
        position += 1
        var text: [UInt8] = []
        var start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x0a { line += 1 }
            position += 1
            guard byte == Self.quote else { continue }
            text += bytes[start..<position - 1]
            guard !isAtCellEnd else { return String(decoding: text, as: UTF8.self) }
            guard bytes[position] == Self.quote else {
                throw .broken("table", line: line, problem: "something follows a closing quote")
            }
            // Two quotes stand for one quote: the next part of the text begins with the second of them.
            start = position
            position += 1
        }
        throw .broken("table", line: opened, problem: "a quote is not closed")
    }
}
