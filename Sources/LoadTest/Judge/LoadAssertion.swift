// SPDX-License-Identifier: Apache-2.0

/// A condition that a run must satisfy: `p99<5ms`, `loss=0`, `errors<1%`; or a part of a profile: `p99[2]<5ms`.
public struct LoadAssertion: Hashable, Sendable, CustomStringConvertible {
    public enum Relation: String, CaseIterable, Sendable {
        // Longer operators come first, so that `<=` is not read as `<`.
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case greater = ">"
        case equal = "="

        func holds(_ value: Double, _ bound: Double) -> Bool {
            switch self {
            case .atMost: value <= bound
            case .atLeast: value >= bound
            case .less: value < bound
            case .greater: value > bound
            case .equal: value == bound
            }
        }
    }

    public enum Verdict: Hashable, Sendable {
        case holds(value: Double)
        case broken(value: Double)
        /// The run does not have the asserted figure.
        case unknown
    }

    public let metric: LoadMetric
    /// The number of the profile's part that must satisfy the condition, from 1; nil for the whole run.
    public let part: Int?
    public let relation: Relation
    /// The bound in the unit of ``unit``: microseconds, operations per second, a fraction or a count.
    public let bound: Double
    /// Whether a count is judged as a share of the operations that were sent.
    public let isShare: Bool
    public let description: String

    /// Reads assertions separated by commas.
    ///
    /// - Throws: an error that names the assertion that cannot be read, and the accepted forms.
    public static func list(_ text: String) throws(LoadInputError) -> [LoadAssertion] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part throws(LoadInputError) in
            try LoadAssertion(String(part))
        }
    }

    public init(_ text: String) throws(LoadInputError) {
        let text = text.filter { !$0.isWhitespace }
        let found = Relation.allCases.lazy.compactMap { relation in
            text.firstRange(of: relation.rawValue).map { (relation, $0) }
        }
        guard let (relation, range) = found.first else {
            throw LoadInputError("\"\(text)\" has none of < <= = >= >: write it as p99<5ms.")
        }
        var (name, part): (Substring, Int?) = (text[..<range.lowerBound], nil)
        if let bracket = name.firstIndex(of: "["), name.hasSuffix("]") {
            part = Int(name[name.index(after: bracket)...].dropLast())
            guard let part, (1...LoadProfile.most).contains(part) else {
                throw LoadInputError("\"\(name)\" names no part of a profile: write p99[2] for the second.")
            }
            name = name[..<bracket]
        }
        guard let metric = LoadMetric(rawValue: String(name)) else {
            let names = LoadMetric.allCases.map(\.rawValue).joined(separator: ", ")
            throw LoadInputError("\"\(name)\" is no figure of a run: use one of \(names).")
        }
        let value = String(text[range.upperBound...])
        isShare = metric.unit == .count && value.hasSuffix("%")
        guard let bound = LoadQuantity.read(value, as: isShare ? .fraction : metric.unit) else {
            let example = LoadQuantity.example(metric.unit)
            throw LoadInputError("\"\(value)\" is no bound for \(metric.rawValue): write it as \(example).")
        }
        (self.metric, self.part, self.relation, self.bound, description) = (metric, part, relation, bound, text)
    }

    /// The unit of the figure that is judged.
    public var unit: LoadMetric.Unit { isShare ? .fraction : metric.unit }

    /// Returns the figure of a run that is judged; nil if the run does not have it.
    func value(in run: LoadFigures, bare: LoadFigures? = nil) -> Double? {
        metric.value(in: run, bare: bare).map { isShare ? $0 / Double(max(1, run.sent)) : $0 }
    }

    /// Judges repeated runs together: about a count the worst run must satisfy it, about a measurement the median.
    ///
    /// - Parameter bare: the runs over the bare bus, one for each run and in the same order, or empty.
    public func judge(_ runs: [LoadFigures], bare: [LoadFigures] = []) -> Verdict {
        let values = runs.enumerated().compactMap { place, run in
            value(in: run, bare: place < bare.count ? bare[place] : nil)
        }.sorted()
        guard values.count == runs.count else { return .unknown }
        guard let value = metric.unit == .count ? values.last : values.median else { return .unknown }
        return relation.holds(value, bound) ? .holds(value: value) : .broken(value: value)
    }

    /// The sentence for a run that does not have the asserted figure.
    public var unknown: String { "\(description) is broken: \(metric.absence)." }

    /// Returns the sentence for a run that violates the assertion: the figure, and by how much it misses the bound.
    public func complaint(_ value: Double) -> String {
        let met = "\(description) is broken: \(metric.rawValue) was \(LoadQuantity.text(value, unit))"
        guard bound > 0, unit != .count else { return met + "." }
        let ratio = value / bound
        if ratio > 2 { return "\(met), \(LoadQuantity.digits(ratio)) times that." }
        return "\(met), \(LoadQuantity.text(abs(ratio - 1), .fraction)) \(ratio > 1 ? "over" : "under")."
    }
}

/// The verdict on one case of a test: about an assertion, or about whether it did anything.
public struct LoadVerdict: Hashable, Sendable {
    public let label: String
    /// The assertion, such as `p99<5ms`.
    public let assertion: String
    /// The sentence that says how the assertion is broken; nil if it holds.
    public let complaint: String?

    public init(_ label: String, _ assertion: String, complaint: String?) {
        (self.label, self.assertion, self.complaint) = (label, assertion, complaint)
    }
}

/// The reason why a text or a file that describes a load or a limit cannot be read, as a sentence or the end of one.
public struct LoadInputError: Error, Hashable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
