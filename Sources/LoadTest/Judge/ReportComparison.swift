// SPDX-License-Identifier: Apache-2.0

/// The differences between two reports, for each case that both reports have.
public struct ReportComparison: Sendable {
    /// One figure of one case in both reports.
    public struct Figure: Sendable {
        public let label: String
        public let metric: LoadMetric
        /// The median of the figure in the earlier runs.
        public let earlier: Double
        public let later: Double
        /// The number of runs in each report.
        public let runs: (earlier: Int, later: Int)
        /// The statistical comparison; nil if the figures have no ratio.
        public let comparison: Comparison?

        public var verdict: Comparison.Verdict { comparison?.verdict(isBetterHigher: metric.isBetterHigher) ?? .tooFew }
    }

    /// The maximum number of runs of a case that are compared; further runs are ignored. With more runs, the counts of
    /// the exact distribution would exceed the range of Double.
    private static let mostRuns = 30

    public let figures: [Figure]
    /// Sentences about cases and figures that are missing from a report or from some of its runs.
    public let gaps: [String]
    /// Reasons why the two reports may not be comparable, one sentence each.
    public let warnings: [String]

    /// Compares two reports. Leaves out runs over the bare bus and separately counted kinds of operation.
    public init(earlier: LoadReport, later: LoadReport, metrics: [LoadMetric]) {
        var (figures, gaps): ([Figure], [String]) = ([], [])
        for label in (earlier.runs + later.runs).labels {
            let one = earlier.runs.figures(of: label).prefix(Self.mostRuns)
            let other = later.runs.figures(of: label).prefix(Self.mostRuns)
            guard !one.isEmpty, !other.isEmpty else {
                gaps.append("\(label): only the \(other.isEmpty ? "earlier" : "later") report has it.")
                continue
            }
            for metric in metrics {
                let before = one.compactMap { metric.value(in: $0) }
                let after = other.compactMap { metric.value(in: $0) }
                // A run without results has no figures. That is worse than any figure, so it must be mentioned.
                if (before.count == one.count) != (after.count == other.count) {
                    let lacking = before.count == one.count ? "later" : "earlier"
                    gaps.append("\(label): not all runs of the \(lacking) report have \(metric.rawValue).")
                }
                if before.isEmpty, after.isEmpty { gaps.append("\(label): neither report has \(metric.rawValue).") }
                guard let first = before.median, let second = after.median else { continue }
                figures.append(
                    Figure(
                        label: label, metric: metric, earlier: first, later: second,
                        runs: (before.count, after.count), comparison: Comparison(earlier: before, later: after)))
            }
        }
        (self.figures, self.gaps) = (figures, gaps)
        warnings = Self.warnings(earlier, later)
    }

    /// Returns one sentence for each figure that has become worse by more than `share`, for each figure with too few
    /// runs to judge, and for each gap. Gaps count because a figure that is no longer measured may have become worse.
    public func complaints(_ share: Double) -> [String] {
        gaps
            + figures.compactMap { figure in
                switch figure.verdict {
                case .better, .same: return nil
                case .tooFew:
                    return
                        "\(figure.label): \(figure.runs.earlier) and \(figure.runs.later) runs are too few to tell "
                        + "whether \(figure.metric.rawValue) has changed: repeat at least "
                        + "\(Comparison.fewest) times (--repeat)."
                case .worse:
                    let regress = figure.comparison?.regress(isBetterHigher: figure.metric.isBetterHigher) ?? 0
                    guard regress > share else { return nil }
                    return
                        "\(figure.label): \(figure.metric.rawValue) is \(LoadQuantity.text(regress, .fraction)) worse: "
                        + "\(LoadQuantity.text(figure.later, figure.metric.unit)) after "
                        + "\(LoadQuantity.text(figure.earlier, figure.metric.unit))."
                }
            }
    }

    private static func warnings(_ earlier: LoadReport, _ later: LoadReport) -> [String] {
        var warnings: [String] = []
        let (one, other) = (earlier.machine, later.machine)
        if (one.cpu, one.cores) != (other.cpu, other.cores) || one.kernel != other.kernel {
            warnings.append("The reports are of different machines or kernels, which may cause the differences.")
        }
        if earlier.mode != later.mode {
            warnings.append("The reports are of different tests, \(earlier.mode) and \(later.mode).")
        }
        func shapes(_ report: LoadReport) -> Set<LoadShape> { Set(report.runs.map(\.shape.unseeded)) }
        if shapes(earlier) != shapes(later) { warnings.append("The load was not of the same shape in both reports.") }
        if let asked = earlier.parameters, let askedLater = later.parameters {
            for name in Set(asked.keys).union(askedLater.keys).sorted() where asked[name] != askedLater[name] {
                warnings.append(
                    "The tests differ: \(name) was \(asked[name] ?? "not given") in the earlier report and "
                        + "\(askedLater[name] ?? "not given") in the later one.")
            }
        }
        return warnings
    }
}
