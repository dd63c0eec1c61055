// SPDX-License-Identifier: Apache-2.0

/// A strict parser of the Prometheus text format, independent of the product's writer. Anything that the format does
/// not allow is an error.
struct Exposition: Sendable {
    struct Sample: Hashable, Sendable {
        var name: String
        var labels: [String: String]
        var value: Double
    }

    struct Malformed: Error {
        var line: String
    }

    private(set) var samples: [Sample] = []
    /// Keyed by the names of families.
    private(set) var types: [String: String] = [:]
    private(set) var helps: [String: String] = [:]

    init(_ text: String) throws {
        guard text.isEmpty || text.hasSuffix("\n") else { throw Malformed(line: "the end") }
        for line in text.split(separator: "\n") {
            let line = String(line)
            if line.hasPrefix("# ") {
                let words = line.split(separator: " ", maxSplits: 3)
                guard words.count == 4 else { throw Malformed(line: line) }
                switch words[1] {
                case "HELP": helps[String(words[2])] = String(words[3])
                case "TYPE":
                    guard types[String(words[2])] == nil else { throw Malformed(line: line) }
                    types[String(words[2])] = String(words[3])
                default: throw Malformed(line: line)
                }
            } else {
                samples.append(try Self.sample(line))
            }
        }
        for sample in samples where types[family(of: sample)] == nil { throw Malformed(line: sample.name) }
    }

    /// The names of all families with a sample.
    var families: Set<String> { Set(samples.map { family(of: $0) }) }

    func family(of sample: Sample) -> String {
        for ending in ["_bucket", "_sum", "_count"] where sample.name.hasSuffix(ending) {
            let name = String(sample.name.dropLast(ending.count))
            if types[name] == "histogram" { return name }
        }
        return sample.name
    }

    func samples(of family: String) -> Set<Sample> { Set(samples.filter { self.family(of: $0) == family }) }

    /// The value of the sample with this name and at least these labels; 0 if there is none.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double {
        samples.first { sample in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }?.value ?? 0
    }

    /// The total of a counter, or the number of values in a histogram.
    func total(_ family: String) -> Double {
        samples.filter { $0.name == family || $0.name == family + "_count" }.reduce(0) { $0 + $1.value }
    }

    private static func sample(_ line: String) throws -> Sample {
        var rest = line[...]
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" }
        rest = rest.dropFirst(name.count)
        guard let first = name.first, !first.isNumber else { throw Malformed(line: line) }
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                let label = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                rest = rest.dropFirst(label.count)
                guard !label.isEmpty, rest.hasPrefix("=\"") else { throw Malformed(line: line) }
                rest = rest.dropFirst(2)
                labels[String(label)] = try quoted(&rest, line)
                if rest.first == "," { rest = rest.dropFirst() }
            }
            rest = rest.dropFirst()
        }
        guard rest.first == " ", let value = number(rest.dropFirst()) else { throw Malformed(line: line) }
        return Sample(name: String(name), labels: labels, value: value)
    }

    private static func quoted(_ rest: inout Substring, _ line: String) throws -> String {
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return value
            case "\\":
                switch rest.popFirst() {
                case "n": value += "\n"
                case "\\": value += "\\"
                case "\"": value += "\""
                default: throw Malformed(line: line)
                }
            default: value.append(character)
            }
        }
        throw Malformed(line: line)
    }

    private static func number(_ text: Substring) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        case "NaN": .nan
        default: Double(text)
        }
    }
}
