// SPDX-License-Identifier: Apache-2.0

/// Modules as one script, so that a slow network needs one answer for them, and a second script of what comes later.
///
/// Each imported module becomes a function that is called once and returns its exports, before the modules that import
/// it. Modules that are imported by `import("./…")`, and what only they import, are in the second script, which gets
/// the modules of the first one and is loaded at the first such import. A module that is imported by
/// `import("/assets/…")` stays a file of its own. Only the forms of imports and exports that the page uses are known;
/// all others are errors.
struct ScriptBundle {
    /// The name of the second script.
    static let laterName = "later.js"
    struct Problem: Error, Equatable, CustomStringConvertible { let description: String }

    private struct Module {
        var text = ""
        var exports: [String] = []
    }

    private static let licence = "// SPDX-License-Identifier: Apache-2.0\n"

    /// Returns the text of a module.
    private let source: (String) -> String?
    /// The modules that others import; nil while a module is being read.
    private var read: [String: Module?] = [:]
    /// The names of modules that are imported by `import()`, in the order in which they were found.
    private var later: [String] = []
    /// The modules of the first script, once it is made, and those of them that the second one needs.
    private var atOnce: Set<String> = []
    private var shared: [String] = []
    private var text = ""

    private init(_ source: @escaping (String) -> String?) { self.source = source }

    /// Returns a module with all modules that it imports, and the script of those that it imports later; nil if there
    /// are none.
    ///
    /// - Throws: ``Problem`` if a module is missing, has a form that is not known, or imports itself by way of others.
    static func make(
        _ name: String, source: @escaping (String) -> String?
    ) throws(Problem) -> (first: String, later: String?) {
        var bundle = ScriptBundle(source)
        bundle.read[name] = .some(nil)
        let main = try bundle.module(name)
        let exports = main.exports.isEmpty ? "" : "export { \(main.exports.joined(separator: ", ")) };\n"
        let first = "\(bundle.text)\(main.text)\(exports)"
        guard !bundle.later.isEmpty else { return (licence + first, nil) }
        bundle.atOnce = Set(bundle.read.keys)
        bundle.text = ""
        var next = 0
        while next < bundle.later.count {
            guard !bundle.atOnce.contains(bundle.later[next]) else {
                throw Problem(description: "\(bundle.later[next]) is imported both at once and later.")
            }
            try bundle.add(bundle.later[next])
            next += 1
        }
        let shared = (["later$"] + bundle.shared.map(Self.id)).joined(separator: ", ")
        let made = bundle.later.map(Self.id).joined(separator: ", ")
        return (
            "\(licence)\(loader(shared))\(first)",
            "\(licence)export default ({ \(shared) }) => {\n\(bundle.text)return { \(made) };\n};\n"
        )
    }

    /// The function that loads the second script. A browser remembers an import that failed, hence the `fetch` before.
    private static func loader(_ shared: String) -> String {
        """
        let asked$ = null;
        const load$ = async () => {
        const answer = await fetch("/assets/\(laterName)");
        if (!answer.ok) throw answer;
        await answer.text();
        return (await import("/assets/\(laterName)")).default({ \(shared) });
        };
        const later$ = (name) => (asked$ ??= load$().catch((error) => {
        asked$ = null;
        throw error;
        })).then((made) => made[name]);

        """
    }

    private mutating func add(_ name: String) throws(Problem) {
        if let known = read[name] {
            guard known != nil else { throw Problem(description: "\(name) imports itself by way of others.") }
            if atOnce.contains(name), !shared.contains(name) { shared.append(name) }
            return
        }
        read[name] = .some(nil)
        let made = try module(name)
        read[name] = made
        let exports = made.exports.joined(separator: ", ")
        text += "const \(Self.id(name)) = (() => {\n\(made.text)return { \(exports) };\n})();\n"
    }

    /// Reads a module, and adds those that it imports.
    private mutating func module(_ name: String) throws(Problem) -> Module {
        guard let source = source(name) else { throw Problem(description: "There is no module \(name).") }
        var module = Module()
        var statement = ""
        for line in Self.code(source).dropFirst(Self.licence.count).split(separator: "\n") {
            if !statement.isEmpty || line.hasPrefix("import ") || line.hasPrefix("import{") {
                statement += line
                guard line.hasSuffix(";") else { continue }
                module.text += try imported(statement, by: name)
                statement = ""
            } else if line.hasPrefix("export ") || line.hasPrefix("export{") {
                guard let found = line.prefixMatch(of: /export (?:const|class|function|async function) (\w+)/) else {
                    throw Problem(description: "\(name) has an unknown export: \(line)")
                }
                module.exports.append(String(found.1))
                module.text += try late(line.dropFirst("export ".count), in: name) + "\n"
            } else {
                module.text += try late(line, in: name) + "\n"
            }
        }
        guard statement.isEmpty else { throw Problem(description: "\(name) has an import without an end.") }
        return module
    }

    /// Returns the declaration of what a static import brings.
    private mutating func imported(_ statement: String, by name: String) throws(Problem) -> String {
        guard
            let found = statement.wholeMatch(
                of: /import\s*(?:\{([\w\s,]+)\}|\* as (\w+))\s*from "\.\/([a-z][a-z0-9]*\.js)";/)
        else { throw Problem(description: "\(name) has an unknown import: \(statement)") }
        let from = String(found.3)
        try add(from)
        guard let names = found.1 else { return "const \(found.2 ?? "") = \(Self.id(from));\n" }
        var parts: [String] = []
        for each in names.split(separator: ",") {
            let words = each.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let word = words.first else { continue }
            guard words.count == 1 || words.count == 3 && words[1] == "as", let last = words.last,
                read[from]??.exports.contains(word) == true
            else { throw Problem(description: "\(name) imports \(word), which \(from) does not export.") }
            parts.append(word == last ? word : "\(word): \(last)")
        }
        return "const { \(parts.joined(separator: ", ")) } = \(Self.id(from));\n"
    }

    /// Replaces `import("./x.js")` in a line.
    private mutating func late(_ line: Substring, in name: String) throws(Problem) -> String {
        guard line.contains("import") else { return String(line) }
        var text = String(line)
        while let found = text.firstMatch(of: /\bimport\("\.\/([a-z][a-z0-9]*\.js)"\)/) {
            let from = String(found.1)
            if !later.contains(from) { later.append(from) }
            text.replaceSubrange(found.range, with: "later$(\"\(Self.id(from))\")")
        }
        guard !text.contains(/\bimport\s*(?:\.|\((?!"\/assets\/))|^import\b(?!\()/) else {
            throw Problem(description: "\(name) has an unknown import: \(line)")
        }
        return text
    }

    private static func id(_ name: String) -> String { "$\(name.dropLast(".js".count))" }

    /// Returns a script with only the licence of its comments, and without indentation, blank lines and the types of
    /// JSDoc, which no browser needs. Lines inside a template stay as they are.
    static func code(_ text: String) -> String {
        var kept = licence, isComment = false, isTemplate = false
        for line in text.split(separator: "\n") {
            guard !isTemplate else {
                kept += "\(line)\n"
                isTemplate = line.count(where: { $0 == "`" }) % 2 == 0
                continue
            }
            let begin = line.drop { $0 == " " }
            if isComment || begin.hasPrefix("/**") {
                let wasComment = isComment
                isComment = !line.contains("*/")
                if wasComment || isComment || begin.hasSuffix("*/") { continue }
            }
            if begin.hasPrefix("//") { continue }
            kept += begin.contains("/** ") ? String(begin).replacing(/\/\*\* .*?\*\/ ?/, with: "") : String(begin)
            kept += "\n"
            isTemplate = begin.count(where: { $0 == "`" }) % 2 == 1
        }
        return kept
    }
}
