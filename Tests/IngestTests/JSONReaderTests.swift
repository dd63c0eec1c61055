// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing

@testable import Ingest
@testable import JSON

@Suite(.computing)
struct JSONReaderTests {
    private func read(_ text: String) throws(JSONError) -> JSONValue {
        try JSONReader.read(Array(text.utf8))
    }

    private func problem(_ text: String) -> JSONError? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return error
        }
    }

    @Test
    func readsEveryKindOfValue() throws {
        let value = try read(#" {"a": [null, true, false, -0.5e+3, "x"], "b": {}} "#)
        #expect(value["a"] == .array([.null, .bool(true), .bool(false), .number("-0.5e+3"), .string("x")]))
        #expect(value["b"] == .object([]))
        #expect(value["c"] == nil)
    }

    @Test
    func readsEscapes() throws {
        #expect(try read(#""\"\\\/\b\f\n\r\t\u00e4\ud83c\udfd6""#) == .string("\"\\/\u{8}\u{c}\n\r\tä🏖"))
    }

    @Test(arguments: [#""\ud83c""#, #""\udfd6""#, #""\ud83c\n""#, #""\ud83cx""#])
    func replacesHalfASurrogatePair(text: String) throws {
        guard case .string(let string) = try read(text) else {
            Issue.record("no string")
            return
        }
        #expect(string.hasPrefix("\u{fffd}"))
    }

    @Test
    func keepsTheTextAfterHalfAPair() throws {
        #expect(try read(#""\ud83c\u0041""#) == .string("\u{fffd}A"))
    }

    @Test
    func lastOfTwoMembersWins() throws {
        #expect(try read(#"{"a": 1, "a": 2}"#)["a"] == .number("2"))
    }

    @Test
    func ignoresAByteOrderMark() throws {
        #expect(try JSONReader.read([0xef, 0xbb, 0xbf] + Array("[]".utf8)) == .array([]))
    }

    @Test
    func keepsTheDigitsOfANumber() throws {
        #expect(try read("9007199254740993") == .number("9007199254740993"))
    }

    @Test(arguments: ["-33.850750", "151.212519", "-33.877972169592199", "1e-7", "0.1", "5e-324", "179.99999999999997"])
    func numbersAreTheNearestDoubles(digits: String) throws {
        let value = try #require(Decimal.read(try read(digits)))
        #expect(value == Double(digits))
        #expect(try Decimal.read(read("\"\(digits)\"")) == Double(digits))
    }

    @Test
    func coordinatesEqualTheLiterals() throws {
        #expect(try Decimal.read(read("-33.850750")) == -33.850750)
        #expect(try Decimal.read(read("151.212519")) == 151.212519)
    }

    @Test(arguments: [
        "nan", "NaN", "inf", "infinity", "-Infinity", "0x10", "", " ", "12,5", "1 2", "12°", "--1", "e", "1e", "٣",
    ])
    func readsNoNumberWhereNoneIs(text: String) {
        #expect(DecimalText.number(text) == nil)
    }

    @Test
    func allowsWhiteSpaceAroundANumber() {
        #expect(DecimalText.number(" -12.5\n") == -12.5)
        #expect(DecimalText.number("+1") == 1)
    }

    @Test(arguments: [
        "{", "[", "[1", "[1,", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #""abc"#, #""abc\"#, #""\u00"#, "tru", "-",
        "1.",
        "1e", "1e+", #"["a"#,
    ])
    func tellsWhatIsCutOff(text: String) {
        #expect(problem(text) == .cutOff(line: 1))
    }

    @Test(arguments: [
        "[1,]", "[,]", "{,}", #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{a:1}"#, "[1 2]", "01", "1.x", "+1", ".5", "nul!",
        "'a'",
        "[] []", #""\x""#, #""\u12g4""#, "\"a\nb\"", "\"\\n\u{1}\"", "NaN", "Infinity", "// a\n[]",
    ])
    func refusesWhatIsNoJSON(text: String) {
        guard case .malformed = problem(text) else {
            Issue.record("\(text): \(String(describing: problem(text)))")
            return
        }
    }

    @Test
    func tellsLineAndColumn() {
        #expect(
            problem("{\n  \"a\": 1\n  \"b\": 2\n}")
                == .malformed(line: 3, column: 3, problem: "a comma or } was expected"))
        #expect(problem("[1,\n 2,\n 3") == .cutOff(line: 3))
    }

    @Test
    func refusesWhatIsNestedTooDeep() {
        #expect(problem(String(repeating: "[", count: 1_000_000)) == .tooDeep(limit: 128))
        #expect(problem(String(repeating: #"{"a":"#, count: 1_000_000)) == .tooDeep(limit: 128))
        let deepest = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(problem(deepest) == nil)
        #expect(problem("[\(deepest)]") == .tooDeep(limit: 128))
    }

    @Test
    func readsANumberOfAMillionDigits() throws {
        let value = try read("[" + String(repeating: "9", count: 1_000_000) + "]")
        #expect(value.elements?.first.map { Decimal.read($0) } == .infinity)
    }
}
