// SPDX-License-Identifier: Apache-2.0

/// Short names for a script that nobody but browsers reads.
///
/// A name is made short everywhere or nowhere, so scopes stay as they are. It is made short if the script declares it
/// around each of its uses, so that it is nowhere a name of the browser. Names of properties are not touched, except
/// for private ones.
struct ScriptNames {
    typealias Problem = ScriptBundle.Problem

    private enum Braces { case block, object, members, exports }

    private var tokens: ScriptTokens
    private var braces: [Int: Braces] = [:]
    /// Each place where a name is used, and whether it is the key of an object as well.
    private var uses: [Int: Bool] = [:]
    /// The parts of the script in which a name is declared.
    private var declared: [String: [ClosedRange<Int>]] = [:]
    private var kept: Set<String> = []

    /// Returns a script with its first line, which is its licence, and with short names and without comments and white
    /// space in the others.
    static func packed(_ script: String) throws(Problem) -> String {
        let licence = script.prefix { $0 != "\n" }
        var names = ScriptNames(tokens: try ScriptTokens(String(script.dropFirst(licence.count))))
        try names.findUses()
        try names.findDeclarations()
        names.shorten()
        let text = try names.tokens.joined()
        return "\(licence)\n\(text)\n"
    }

    private init(tokens: ScriptTokens) { self.tokens = tokens }

    private func text(_ place: Int) -> String { tokens.all.indices.contains(place) ? tokens.all[place].text : "" }

    private func isWord(_ place: Int) -> Bool { tokens.all.indices.contains(place) && tokens.all[place].kind == .word }

    private func isName(_ place: Int) -> Bool {
        isWord(place) && !ScriptTokens.keywords.contains(text(place)) && !text(place).hasPrefix("#")
    }

    private mutating func findUses() throws(Problem) {
        for (place, token) in tokens.all.enumerated() {
            if token.kind == .mark, token.text == "{" { braces[place] = try kind(ofBraceAt: place) }
            guard isName(place) else { continue }
            let before = text(place - 1), after = text(place + 1)
            if before == "." || before == "?." { continue }
            let isMember = ["get", "set", "async", "static"].contains(before)
            switch braces[token.parent] {
            case .exports: kept.insert(token.text)
            case .object where before == "{" || before == "," || isMember && after == "(":
                if after == ":" || after == "(" { continue }
                guard after == "," || after == "}" || after == "=" else {
                    throw Problem(description: "The key \(token.text) has an unknown form.")
                }
                uses[place] = true
            case .members where ["{", ";", "}"].contains(before) || isMember: continue
            default: uses[place] = false
            }
        }
    }

    private func kind(ofBraceAt place: Int) throws(Problem) -> Braces {
        let before = text(place - 1)
        if ["", "=>", ")", ";", "}", "{", "else", "try", "finally", "do", "catch"].contains(before) { return .block }
        if before == "export" { return .exports }
        if before == "class" { return .members }
        guard isName(place - 1) else { return .object }
        guard ["class", "extends"].contains(text(place - 2)) else {
            throw Problem(description: "A brace after \(before) has an unknown form.")
        }
        return .members
    }

    private mutating func findDeclarations() throws(Problem) {
        for (place, token) in tokens.all.enumerated() where token.kind == .word || token.kind == .mark {
            let before = text(place - 1)
            if before == "." || before == "?." { continue }
            switch token.text {
            case "const", "let": try declareVariables(after: place)
            case "class", "function": if isName(place + 1) { declare(place + 1, in: block(around: place)) }
            case "=>":
                let parent = token.parent < 0 ? tokens.all.count : tokens.all[token.parent].partner
                let end = text(place + 1) == "{" ? tokens.all[place + 1].partner : parent
                if before == ")" {
                    let begin = tokens.all[place - 1].partner
                    try declarePattern(begin + 1..<place - 1, in: begin...end)
                } else if isName(place - 1) {
                    declare(place - 1, in: place - 1...end)
                }
            case "{" where before == ")":
                let begin = tokens.all[place - 1].partner
                if ["if", "for", "while", "switch"].contains(text(begin - 1)) { continue }
                try declarePattern(begin + 1..<place - 1, in: begin...token.partner)
            default: continue
            }
        }
    }

    /// Returns the part of the script within the nearest braces.
    private func block(around place: Int) -> ClosedRange<Int> {
        var parent = tokens.all[place].parent
        while parent >= 0, text(parent) != "{" { parent = tokens.all[parent].parent }
        return parent < 0 ? 0...tokens.all.count : parent...tokens.all[parent].partner
    }

    private mutating func declare(_ place: Int, in range: ClosedRange<Int>) {
        declared[text(place), default: []].append(range)
    }

    private mutating func declareVariables(after place: Int) throws(Problem) {
        let range = block(around: place)
        var at = place
        repeat {
            at += 1
            if ["{", "["].contains(text(at)) {
                try declarePattern(at + 1..<tokens.all[at].partner, in: range)
            } else if isWord(at) {
                declare(at, in: range)
            } else {
                throw Problem(description: "A declaration has an unknown form at \(text(at)).")
            }
            at = next([",", ";", "of", "in", ")", ""], from: at)
        } while text(at) == ","
    }

    /// Returns the place of the first of these marks that is not within other brackets.
    private func next(_ marks: Set<String>, from place: Int) -> Int {
        var at = place
        while !marks.contains(text(at)) { at = max(at, tokens.all[at].partner) + 1 }
        return at
    }

    /// Declares the names of a pattern or of parameters.
    private mutating func declarePattern(_ places: Range<Int>, in range: ClosedRange<Int>) throws(Problem) {
        var at = places.lowerBound
        while at < places.upperBound {
            if text(at) == "..." || text(at) == "," {
                at += 1
            } else if text(at + 1) == ":" {
                at += 2
            } else if ["{", "["].contains(text(at)) {
                try declarePattern(at + 1..<tokens.all[at].partner, in: range)
                at = next([",", ")", "]", "}", ""], from: tokens.all[at].partner + 1)
            } else if isWord(at) {
                declare(at, in: range)
                at = next([",", ")", "]", "}", ""], from: at + 1)
            } else {
                throw Problem(description: "A pattern has an unknown form at \(text(at)).")
            }
        }
    }

    private mutating func shorten() {
        var counts: [String: (all: Int, keys: Int)] = [:], own: [String: Int] = [:]
        for (place, isKey) in uses {
            let name = text(place)
            counts[name, default: (0, 0)].all += 1
            if isKey { counts[name, default: (0, 0)].keys += 1 }
            if declared[name]?.contains(where: { $0.contains(place) }) != true { kept.insert(name) }
        }
        // Such a name would be written twice as often as it becomes shorter.
        for (name, count) in counts where 5 * count.keys > count.all { kept.insert(name) }
        for token in tokens.all where token.kind == .word && token.text.hasPrefix("#") {
            own[token.text, default: 0] += 1
        }
        let short = Self.short(counts.mapValues { $0.all }.filter { !kept.contains($0.key) }, but: kept)
        let shortOwn = Self.short(own, but: [])
        for (place, isKey) in uses {
            guard let name = short[text(place)] else { continue }
            tokens.all[place].text = isKey ? "\(text(place)):\(name)" : name
        }
        for place in tokens.all.indices where text(place).hasPrefix("#") && isWord(place) {
            if let name = shortOwn[text(place)] { tokens.all[place].text = "#\(name)" }
        }
    }

    /// Returns names for names: the shortest for those that are used most.
    private static func short(_ counts: [String: Int], but taken: Set<String>) -> [String: String] {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        var found: [String: String] = [:], number = 0
        // In the same order each time, so that the file keeps its digest.
        for (name, _) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            var short = ""
            repeat {
                short = ""
                var left = number
                while left >= 0 {
                    short.append(letters[left % letters.count])
                    left = left / letters.count - 1
                }
                number += 1
            } while taken.contains(short) || ScriptTokens.keywords.contains(short)
            found[name] = short
        }
        return found
    }
}
