// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import Settings

@Suite("YAML", .inShortTurn)
struct YAMLNodeTests {
    /// The node on one line. Quoted texts have quotes; numbers are the lines.
    private func shown(_ node: YAMLNode) -> String {
        let content =
            switch node.content {
            case .scalar(let text, let isPlain): isPlain ? text : "\"\(text)\""
            case .sequence(let nodes): "[" + nodes.map(shown).joined(separator: ", ") + "]"
            case .mapping(let members):
                "{" + members.map { "\($0.name)@\($0.line): \(shown($0.value))" }.joined(separator: ", ") + "}"
            }
        return "\(content)@\(node.line)"
    }

    @Test(arguments: [
        ("a: 1\nb:\n  c: 'x y'", "{a@1: 1@1, b@2: {c@3: \"x y\"@3}@3}@1"),
        ("- 1\n- [2, {three: 4}]\n", "[1@1, [2@2, {three@2: 4@2}@2]@2]@1"),
        ("a:\nb: ~", "{a@1: @1, b@2: ~@2}@1"),
        ("---\ntext: |\n  one\n  two\n", "{text@2: \"one\ntwo\n\"@2}@2"),
        ("\u{feff}a: ü", "{a@1: ü@1}@1"),
        ("a: !!str 5 # a comment", "{a@1: 5@1}@1"),
    ])
    func isRead(text: String, expected: String) throws {
        #expect(shown(try #require(try YAMLNode.read(text))) == expected)
    }

    @Test(arguments: ["", "\n", "# nothing"]) func nothingIsNoDocument(text: String) throws {
        #expect(try YAMLNode.read(text) == nil)
    }

    @Test(arguments: ["", "~", "null", "Null", "NULL"]) func nullsAreKnown(text: String) throws {
        let document = try YAMLNode.read("a: \(text)\nb: '\(text)'")
        guard case .mapping(let members) = document?.content else {
            Issue.record("\(String(describing: document))")
            return
        }
        #expect(members.map(\.value.isNull) == [true, false])
    }

    @Test(arguments: [
        ("a: 1\nb: 2\na: 3", 3, "a is given twice"),
        ("a: &x 1", 1, "anchors and aliases are not read"),
        ("a:\n  - *x", 2, "anchors and aliases are not read"),
        ("b: 1\n&x a: 1", 2, "anchors and aliases are not read"),
        ("? [a]\n: b", 1, "a key has to be a word"),
        ("a: 1\n---\nb: 2", 2, "it holds more than one document"),
        (String(repeating: "[", count: 40), 1, "it is nested deeper than 32 levels"),
    ])
    func isRefused(text: String, line: Int, problem: String) {
        let error = #expect(throws: YAMLError.self) { try YAMLNode.read(text) }
        #expect(error == YAMLError(line: line, problem: problem))
    }

    /// For any bytes, reading ends with a node or an error.
    @Test func damagedTextsEnd() {
        let whole = "a: [1, 'two', {b: \"c\"}]\nd: |\n  e\n%f: *g\n? - h\n"
        var random = SplitMix64(seed: 7)
        var (read, refused) = (0, 0)
        for _ in 0..<2_000 {
            var bytes = Array(whole.utf8)
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...127, using: &random)
            }
            let text = String(decoding: bytes.prefix(Int.random(in: 1...bytes.count, using: &random)), as: UTF8.self)
            do throws(YAMLError) {
                _ = try YAMLNode.read(text)
                read += 1
            } catch {
                refused += 1
                #expect(!error.problem.isEmpty && 1...6 ~= error.line ?? 1)
            }
        }
        #expect(read > 100 && refused > 100)
    }
}
