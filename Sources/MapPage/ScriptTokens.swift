// SPDX-License-Identifier: Apache-2.0

/// The tokens of a script. Only the forms that the page uses are known; all others are errors.
struct ScriptTokens {
    typealias Problem = ScriptBundle.Problem

    struct Token {
        /// A `literal` is a number, a text, a regular expression, or a template without `${`. The last three are the
        /// parts of a template around its expressions.
        enum Kind { case word, literal, mark, head, middle, tail }
        let kind: Kind
        var text: String
        /// Whether white space stands before it, and whether that ends a line.
        let isApart: Bool
        let isOnNewLine: Bool
        /// The place of the bracket that belongs to this one; -1 if it is no bracket.
        var partner = -1
        /// The place of the bracket around it; -1 if there is none.
        var parent = -1
    }

    /// Words that are never made short. `get`, `of`, `set` and `static` may be names as well.
    static let keywords: Set<String> = [
        "arguments", "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
        "delete", "do", "else", "export", "extends", "false", "finally", "for", "function", "get", "if", "import", "in",
        "instanceof", "let", "new", "null", "of", "return", "set", "static", "super", "switch", "this", "throw", "true",
        "try", "typeof", "undefined", "var", "void", "while", "with", "yield",
    ]

    var all: [Token] = []
    private let source: [Unicode.Scalar]
    private var at = 0
    /// The places of the brackets that are open.
    private var opened: [Int] = []
    private var isApart = false
    private var isOnNewLine = false

    init(_ text: String) throws(Problem) {
        source = Array(text.unicodeScalars)
        while at < source.count { try next() }
        guard opened.isEmpty else { throw Problem(description: "A bracket is not closed.") }
    }

    /// Returns the script without comments, without white space except where it separates, and without the semicolons
    /// before closing braces.
    func joined() throws(Problem) -> String {
        var text = "", last: Token?
        for (place, token) in all.enumerated() where !isNeedless(place) {
            if let last, token.isApart, let before = last.text.unicodeScalars.last,
                let after = token.text.unicodeScalars.first
            {
                let isBegin = token.kind == .literal || token.kind == .word && !["in", "of"].contains(token.text)
                if token.isOnNewLine, isBegin, Self.isValue(last) {
                    throw Problem(description: "A statement ends without a semicolon at \(last.text).")
                }
                let areWords = Self.isWord(before) && (Self.isWord(after) || after == "#")
                if areWords || before == after && ["+", "-", "/"].contains(after) { text += " " }
            }
            text += token.text
            last = token
        }
        return text
    }

    /// Whether a token is a semicolon that ends the last statement of a block. One that is a whole statement, as after
    /// `while (go())`, has to stay.
    private func isNeedless(_ place: Int) -> Bool {
        guard place > 0, place + 1 < all.count, all[place].text == ";", all[place + 1].text == "}" else { return false }
        let last = all[place - 1]
        guard last.text == ")", last.partner > 0 else { return !["else", ":"].contains(last.text) }
        return !["await", "for", "if", "while"].contains(all[last.partner - 1].text)
    }

    private static func isValue(_ token: Token) -> Bool {
        let isEnd = ["]", "this", "null", "true", "false", "undefined"].contains(token.text)
        return token.kind == .literal || token.kind == .tail || isEnd
            || token.kind == .word && !keywords.contains(token.text)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
        default: false
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0" <= scalar && scalar <= "9" }

    /// Beyond the end there are ends of lines.
    private subscript(place: Int) -> Unicode.Scalar { place < source.count ? source[place] : "\n" }

    private mutating func next() throws(Problem) {
        let first = self[at], second = self[at + 1]
        switch first {
        case " ", "\n":
            isApart = true
            if first == "\n" { isOnNewLine = true }
            at += 1
        case "/" where second == "/":
            while self[at] != "\n" { at += 1 }
        case "/" where second == "*":
            at += 2
            while self[at] != "*" || self[at + 1] != "/" {
                guard at < source.count else { throw Problem(description: "A comment has no end.") }
                at += 1
            }
            at += 2
            isApart = true
        case "\"", "'": try addText(until: first)
        case "/" where mayBeginValue: try addText(until: "/")
        case "`": try addTemplate(.head, whole: .literal)
        case "}" where opened.last.map({ all[$0].kind == .head }) == true: try addTemplate(.middle, whole: .tail)
        default: try addWordOrMark(first, second)
        }
    }

    private var mayBeginValue: Bool {
        guard let last = all.last else { return true }
        switch last.kind {
        case .word: return ["return", "typeof", "case", "of", "in"].contains(last.text)
        case .mark: return ![")", "]", "}"].contains(last.text)
        case .head, .middle: return true
        case .literal, .tail: return false
        }
    }

    /// Adds a text or a regular expression with its flags.
    private mutating func addText(until mark: Unicode.Scalar) throws(Problem) {
        var end = at + 1, isInClass = false
        while self[end] != mark || isInClass {
            guard self[end] != "\n" else { throw Problem(description: "A text has no end.") }
            if mark == "/", self[end] == "[" { isInClass = true }
            if self[end] == "]" { isInClass = false }
            end += self[end] == "\\" ? 2 : 1
        }
        end += 1
        while mark == "/", Self.isWord(self[end]) { end += 1 }
        try add(.literal, until: end)
    }

    private mutating func addTemplate(_ part: Token.Kind, whole: Token.Kind) throws(Problem) {
        var end = at + 1
        while self[end] != "`", self[end] != "$" || self[end + 1] != "{" {
            guard end < source.count else { throw Problem(description: "A template has no end.") }
            end += self[end] == "\\" ? 2 : 1
        }
        if self[end] == "`" { try add(whole, until: end + 1) } else { try add(part, until: end + 2) }
    }

    private mutating func addWordOrMark(_ first: Unicode.Scalar, _ second: Unicode.Scalar) throws(Problem) {
        var end = at + 1
        let isNumber = Self.isDigit(first) || first == "." && Self.isDigit(second)
        if isNumber {
            while Self.isWord(self[end]) || self[end] == "." || second != "x" && isSignOfExponent(end) { end += 1 }
            return try add(.literal, until: end)
        }
        if Self.isWord(first) || first == "#" {
            while Self.isWord(self[end]) { end += 1 }
            return try add(.word, until: end)
        }
        let isArrow = first == "=" && second == ">"
        let isChain = first == "?" && second == "." && !Self.isDigit(self[at + 2])
        let isRest = first == "." && second == "." && self[at + 2] == "."
        try add(.mark, until: at + (isRest ? 3 : isArrow || isChain ? 2 : 1))
    }

    private func isSignOfExponent(_ place: Int) -> Bool {
        self[place - 1] == "e" && ["-", "+"].contains(self[place])
    }

    private mutating func add(_ kind: Token.Kind, until end: Int) throws(Problem) {
        guard end <= source.count else { throw Problem(description: "The script ends too early.") }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: source[at..<end])
        var token = Token(kind: kind, text: String(text), isApart: isApart, isOnNewLine: isOnNewLine)
        if kind == .tail || kind == .mark && [")", "]", "}"].contains(token.text) {
            guard let opener = opened.popLast() else { throw Problem(description: "A bracket was not opened.") }
            all[opener].partner = all.count
            token.partner = opener
        }
        token.parent = opened.last ?? -1
        if kind == .head || kind == .mark && ["(", "[", "{"].contains(token.text) { opened.append(all.count) }
        all.append(token)
        (at, isApart, isOnNewLine) = (end, false, false)
    }
}
