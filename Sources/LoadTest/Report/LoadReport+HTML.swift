// SPDX-License-Identifier: Apache-2.0

extension LoadReport {
    /// Returns the report as an HTML page in one file.
    ///
    /// - Parameters:
    ///   - notes: sentences about the figures.
    ///   - bareName: the name of the comparison run, such as `bare bus`.
    public func html(_ verdicts: [LoadVerdict], notes: [String] = [], bareName: String = "bare bus") -> String {
        var page = HTMLPage("waymark bench \(mode)")
        let broken = verdicts.count(where: { $0.complaint != nil })
        page.paragraph(
            broken > 0 ? "\(at): \(broken) of \(verdicts.count) assertions are broken." : at, isBad: broken > 0)
        page.command("waymark \(command)")
        if !warnings.isEmpty {
            page.heading("Warnings")
            page.list(warnings)
        }
        if !verdicts.isEmpty {
            page.heading("Assertions")
            page.table(
                ["Case", "Assertion", "Verdict"], verdicts.map { [$0.label, $0.assertion, $0.complaint ?? "holds"] },
                isBad: { verdicts[$0].complaint != nil })
        }
        page.heading("Figures")
        page.table(Self.titles, rows(bareName: bareName), areFigures: true)
        page.list(notes)
        page.charts(charts)
        page.heading("Test and machine")
        page.table([], facts)
        return page.text
    }

    /// The machine and the parameters, as pairs of a name and a value.
    var facts: [[String]] {
        let facts = [
            ["processor", "\(machine.cpu), \(machine.cores) cores"], ["memory", "\(machine.memory >> 20) MiB"],
            ["kernel", machine.kernel],
        ]
        let others = machine.versions.sorted { $0.key < $1.key } + (parameters ?? [:]).sorted { $0.key < $1.key }
        return facts + others.map { [$0.key, $0.value] }
    }
}

extension ReportComparison {
    /// The titles of the columns of ``ReportComparison/Figure/cells``.
    public static let titles = ["RUN", "FIGURE", "EARLIER", "LATER", "CHANGE", "95 % SURE", "VERDICT"]

    /// Returns the comparison of two reports as an HTML page in one file.
    ///
    /// - Parameter complaints: one sentence for each figure that became too much worse.
    public func html(earlier: LoadReport, later: LoadReport, complaints: [String] = []) -> String {
        var page = HTMLPage("waymark bench compare: \(later.mode)")
        for complaint in complaints { page.paragraph(complaint, isBad: true) }
        page.list(warnings + gaps.filter { !complaints.contains($0) })
        page.heading("Changes")
        page.table(Self.titles, figures.map(\.cells), isBad: { figures[$0].verdict == .worse })
        let sources = earlier.sources(prefix: "earlier, ") + later.sources(prefix: "later, ")
        page.charts([.latency("latency", sources), .throughput("done in each second", sources)])
        for (name, report) in [("Earlier", earlier), ("Later", later)] {
            page.heading("\(name): \(report.at)")
            page.command("waymark \(report.command)")
            page.table([], report.facts)
        }
        return page.text
    }
}

extension ReportComparison.Figure {
    /// The texts under ``ReportComparison/titles``.
    public var cells: [String] {
        let interval = comparison?.interval.map { "\(Self.change($0.lowerBound)) to \(Self.change($0.upperBound))" }
        return [
            label, metric.rawValue, LoadQuantity.text(earlier, metric.unit), LoadQuantity.text(later, metric.unit),
            comparison.map { Self.change($0.ratio) } ?? "-", interval ?? "-", words,
        ]
    }

    /// Formats a ratio as a relative change: `+12.3 %`.
    private static func change(_ ratio: Double) -> String {
        (ratio >= 1 ? "+" : "-") + LoadQuantity.text(abs(ratio - 1), .fraction)
    }

    private var words: String {
        switch verdict {
        case .better: "better"
        case .worse: "worse"
        case .same: "no significant change"
        case .tooFew: "too few runs (\(runs.earlier) and \(runs.later))"
        }
    }
}
