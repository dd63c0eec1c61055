// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("Lines of stdin", .inShortTurn)
struct CLILineReaderTests {
    /// The lines that a reader finds in these bytes.
    private func lines(_ bytes: [UInt8]) throws -> [String] {
        var name = Array("/tmp/wm-lines-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        defer {
            close(file)
            unlink(name)
        }
        var sent = 0
        while sent < bytes.count {
            sent += max(0, bytes[sent...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) })
        }
        lseek(file, 0, SEEK_SET)
        let reader = LineReader(descriptor: file)
        var lines: [String] = []
        while let line = reader.next() { lines.append(line) }
        return lines
    }

    @Test func areReadOneByOne() throws {
        #expect(try lines([]) == [])
        #expect(try lines(Array("a\r\n\nb\u{e9}\nc".utf8)) == ["a", "", "b\u{e9}", "c"])
        let many = (0..<5_000).map { "line \($0)" }
        #expect(try lines(Array(many.joined(separator: "\n").utf8)) == many)
    }

    @Test func ofALongOneOnlyTheBeginningIsKept() throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
        let found = try lines(long + Array("\nnext\n".utf8))
        #expect(found.map(\.utf8.count) == [LineReader.mostBytes, 4] && found.last == "next")
        #expect(try lines(long).map(\.utf8.count) == [LineReader.mostBytes])
    }
}
