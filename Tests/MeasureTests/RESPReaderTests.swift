// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import waymark_measure

@Suite("Replies of Redis", .inShortTurn)
struct RESPReaderTests {
    private func reader(_ text: String) -> RESPReader {
        var reader = RESPReader()
        Array(text.utf8).withUnsafeBytes { reader.append($0) }
        return reader
    }

    @Test("Each kind of reply is read, and however the bytes are cut")
    func kinds() throws {
        let text = "+OK\r\n:42\r\n$5\r\nab\r\nc\r\n*2\r\n$1\r\n7\r\n*0\r\n$-1\r\n-ERR no\r\n"
        let expected: [RESPReader.Reply] = [
            .text(Array("OK".utf8)), .number(42), .text(Array("ab\r\nc".utf8)),
            .list([.text(Array("7".utf8)), .list([])]), .none, .refusal("ERR no"),
        ]
        for cut in 0..<text.utf8.count {
            var reader = reader(String(text.prefix(cut)))
            var replies: [RESPReader.Reply] = []
            while let reply = try reader.next() { replies.append(reply) }
            Array(text.utf8.dropFirst(text.prefix(cut).utf8.count)).withUnsafeBytes { reader.append($0) }
            while let reply = try reader.next() { replies.append(reply) }
            #expect(replies == expected, "cut at \(cut)")
        }
    }

    @Test(
        "What is no reply is refused",
        arguments: ["hello\r\n", "\r\n", ":x\r\n", "$99999999999\r\n", "\(String(repeating: "*1\r\n", count: 7))"])
    func nonsense(text: String) {
        var reader = reader(text)
        let error = #expect(throws: TableError.self) { _ = try reader.next() }
        #expect(error?.description == "The answer of the server cannot be read.")
    }
}
