// SPDX-License-Identifier: Apache-2.0

/// A condition that a run must satisfy: `p99<5ms`, `loss=0`, `rate>=0.95`.
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
    public let relation: Relation
    /// The bound in the unit of the metric: microseconds, operations per second, a fraction or a count.
    public let bound: Double
    public let description: String

    /// Reads assertions separated by commas.
    ///
    /// - Throws: an error that names the assertion that cannot be read, and the accepted forms.
    public static func list(_ text: String) throws(LoadAssertionError) -> [LoadAssertion] {
        var list: [LoadAssertion] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            list.append(try LoadAssertion(String(part)))
        }
        return list
    }

    public init(_ text: String) throws(LoadAssertionError) {
        let text = text.filter { !$0.isWhitespace }
        let found = Relation.allCases.lazy.compactMap { relation in
            text.firstRange(of: relation.rawValue).map { (relation, $0) }
        }
        guard let (relation, range) = found.first else { throw .noRelation(text) }
        let name = String(text[..<range.lowerBound])
        guard let metric = LoadMetric(rawValue: name) else { throw .noMetric(name) }
        let value = String(text[range.upperBound...])
        guard let bound = LoadQuantity.read(value, as: metric.unit) else { throw .noBound(value, metric) }
        (self.metric, self.relation, self.bound, description) = (metric, relation, bound, text)
    }

    /// Judges repeated runs together. The worst run must satisfy an assertion about a count; the median of the runs
    /// must satisfy an assertion about a measurement.
    ///
    /// - Parameter bare: the runs over the bare bus, one for each run and in the same order, or empty.
    public func judge(_ runs: [LoadFigures], bare: [LoadFigures] = []) -> Verdict {
        let values = runs.enumerated().compactMap { place, run in
            metric.value(in: run, bare: place < bare.count ? bare[place] : nil)
        }.sorted()
        guard values.count == runs.count else { return .unknown }
        guard let value = metric.unit == .count ? values.last : values.median else { return .unknown }
        return relation.holds(value, bound) ? .holds(value: value) : .broken(value: value)
    }

    /// The sentence for a run that does not have the asserted figure.
    public var unknown: String { "\(description) is broken: \(metric.absence)." }

    /// Returns the sentence for a run that violates the assertion: the figure, and by how much it misses the bound.
    public func complaint(_ value: Double) -> String {
        let met = "\(description) is broken: \(metric.rawValue) was \(LoadQuantity.text(value, metric.unit))"
        guard bound > 0, metric.unit != .count else { return met + "." }
        let ratio = value / bound
        if ratio > 2 { return "\(met), \(LoadQuantity.digits(ratio)) times that." }
        return "\(met), \(LoadQuantity.text(abs(ratio - 1), .fraction)) \(ratio > 1 ? "over" : "under")."
    }
}

/// The reason why an assertion cannot be read.
public enum LoadAssertionError: Error, Hashable, CustomStringConvertible {
    case noRelation(String)
    case noMetric(String)
    case noBound(String, LoadMetric)

    public var description: String {
        switch self {
        case .noRelation(let text): "\"\(text)\" has none of < <= = >= >: write it as p99<5ms."
        case .noMetric(let name):
            "\"\(name)\" is no figure of a run: use one of \(LoadMetric.allCases.map(\.rawValue).joined(separator: ", "))."
        case .noBound(let text, let metric):
            "\"\(text)\" is no bound for \(metric.rawValue): write it as \(LoadQuantity.example(metric.unit))."
        }
    }
}
