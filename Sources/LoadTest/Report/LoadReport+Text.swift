// SPDX-License-Identifier: Apache-2.0

import Histogram

extension LoadReport {
    /// HdrHistogram's own text form, which its plotters read: values in milliseconds. Repeated runs are put together.
    ///
    /// - Returns: nil when the case was not run.
    public func hgrm(of label: String) -> String? {
        var latencies = Latencies()
        let runs = runs.filter { $0.label == label && !$0.isBare && $0.partOf == nil }
        guard !runs.isEmpty else { return nil }
        for run in runs { latencies.add(run.latencies) }
        var text = ""
        latencies.histogram.outputPercentileDistribution(
            to: &text, outputValueUnitScalingRatio: 1_000_000, percentileTicksPerHalfDistance: 5)
        return text
    }
}

extension LoadReport {
    private static let columns: [(String, @Sendable (Run) -> String)] = [
        ("label", { $0.label.contains(",") ? "\"\($0.label)\"" : $0.label }),
        ("part_of", { $0.partOf ?? "" }), ("bare", { $0.isBare ? "1" : "0" }),
        ("seconds", { "\($0.figures.seconds)" }),
        ("intended_per_s", { $0.figures.intendedRate.map { "\($0)" } ?? "" }),
        ("sent", { "\($0.figures.sent)" }), ("done", { "\($0.figures.done)" }),
        ("per_s", { "\($0.figures.throughput)" }), ("bytes", { "\($0.figures.bytes)" }),
        ("mean_us", { "\($0.figures.latency.mean)" }), ("p50_us", { "\($0.figures.latency.p50)" }),
        ("p90_us", { "\($0.figures.latency.p90)" }), ("p99_us", { "\($0.figures.latency.p99)" }),
        ("p99.9_us", { "\($0.figures.latency.p99_9)" }), ("max_us", { "\($0.figures.latency.max)" }),
        ("lost", { "\($0.figures.lost)" }), ("repeats", { "\($0.figures.repeats)" }),
        ("reorders", { "\($0.figures.reorders)" }), ("errors", { "\($0.figures.failures)" }),
        ("late", { "\($0.figures.late)" }), ("skipped", { "\($0.figures.skipped)" }),
        ("generator_cpu_s", { "\($0.figures.generatorCPU)" }),
        ("services_cpu_s", { $0.figures.servicesCPU.map { "\($0)" } ?? "" }),
        ("services_memory_bytes", { $0.figures.servicesMemory.map { "\($0)" } ?? "" }),
    ]

    /// A line of names, then one for each run.
    public var csv: String {
        let lines = [Self.columns.map(\.0)] + runs.map { run in Self.columns.map { $0.1(run) } }
        return lines.map { $0.joined(separator: ",") + "\n" }.joined()
    }

    /// Latency by percentile, and what was done in each second, as one SVG file.
    public var svg: String {
        SVG.draw(charts)
    }

    /// A small picture of the latencies, for a terminal.
    public func picture(columns: Int, rows: Int) -> [String] {
        TerminalChart.draw(charts[0], columns: columns, rows: rows)
    }

    private var charts: [Chart] {
        func name(_ run: Run) -> String {
            run.isBare ? "\(run.label), bare" : run.partOf.map { "\($0): \(run.label)" } ?? run.label
        }
        return [
            .latency("\(mode): latency", runs.map { (name($0), $0.latencies, $0.isBare) }),
            .throughput(
                "\(mode): done in each second", runs.map { (name($0), $0.perSecond.map { Double($0.done) }, $0.isBare) }
            ),
        ]
    }
}
