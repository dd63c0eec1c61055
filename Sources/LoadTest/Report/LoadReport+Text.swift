// SPDX-License-Identifier: Apache-2.0

import Histogram

extension LoadReport {
    /// Returns the latencies of all runs in the text format of HdrHistogram's plotters, in milliseconds.
    ///
    /// - Returns: nil if the case was not run.
    public func hgrm(of label: String) -> String? {
        let runs = runs.filter { $0.label == label && $0.isWhole }
        guard !runs.isEmpty else { return nil }
        var text = ""
        runs.latencies.histogram.outputPercentileDistribution(
            to: &text, outputValueUnitScalingRatio: 1_000_000, percentileTicksPerHalfDistance: 5)
        return text
    }

    private static let columns: [(String, @Sendable (Run) -> (any CustomStringConvertible)?)] = [
        ("label", { $0.label.contains(",") ? "\"\($0.label)\"" : $0.label }),
        ("part_of", { $0.partOf }), ("bare", { $0.isBare ? "1" : "0" }), ("seconds", { $0.figures.seconds }),
        ("intended_per_s", { $0.figures.intendedRate }), ("sent", { $0.figures.sent }),
        ("done", { $0.figures.done }), ("per_s", { $0.figures.throughput }), ("bytes", { $0.figures.bytes }),
        ("mean_us", { $0.figures.latency.mean }), ("p50_us", { $0.figures.latency.p50 }),
        ("p90_us", { $0.figures.latency.p90 }), ("p99_us", { $0.figures.latency.p99 }),
        ("p99.9_us", { $0.figures.latency.p99_9 }), ("max_us", { $0.figures.latency.max }),
        ("lost", { $0.figures.lost }), ("repeats", { $0.figures.repeats }), ("reorders", { $0.figures.reorders }),
        ("errors", { $0.figures.failures }), ("late", { $0.figures.late }), ("skipped", { $0.figures.skipped }),
        ("generator_cpu_s", { $0.figures.generatorCPU }), ("services_cpu_s", { $0.figures.servicesCPU }),
        ("services_memory_bytes", { $0.figures.servicesMemory }),
    ]

    /// The report as CSV: a line with the names of the columns, then one line for each run.
    public var csv: String {
        let lines = [Self.columns.map(\.0)] + runs.map { run in Self.columns.map { $0.1(run)?.description ?? "" } }
        return lines.map { $0.joined(separator: ",") + "\n" }.joined()
    }

    /// The titles of the columns of ``rows(bareName:)``.
    public static let titles = [
        "RUN", "RATE", "P50", "P90", "P99", "P99.9", "MAX", "DONE", "LOST", "REPEATS", "REORDERS", "ERRORS",
    ]

    /// Returns the figures of each run as texts, `-` where there is none. The label of a part is indented.
    ///
    /// - Parameter bareName: the name of the comparison run, such as `bare bus`.
    public func rows(bareName: String) -> [[String]] {
        runs.map { run in
            let (figures, latency) = (run.figures, run.figures.latency)
            let times = [latency.p50, latency.p90, latency.p99, latency.p99_9, latency.max]
            let arrivals = [figures.lost, figures.repeats, figures.reorders]
            return [
                run.isBare ? "\(run.label), \(bareName)" : run.partOf == nil ? run.label : "  \(run.label)",
                "\(LoadQuantity.grouped(figures.throughput))/s",
            ]
                + times.map { figures.done > 0 ? LoadQuantity.text($0, .microseconds) : "-" }
                + [LoadQuantity.grouped(Double(figures.done))]
                + arrivals.map { $0.map { LoadQuantity.grouped(Double($0)) } ?? "-" }
                + [LoadQuantity.grouped(Double(figures.failures))]
        }
    }

    /// Charts of latency by percentile and of operations by second, as one SVG file.
    public var svg: String { SVG.draw(charts) }

    /// Draws a small chart of the latencies for a terminal.
    public func picture(columns: Int, rows: Int) -> [String] {
        TerminalChart.draw(charts[0], columns: columns, rows: rows)
    }

    var charts: [Chart] {
        let (sources, profile) = (self.sources(), runs.lazy.compactMap(\.shape.profile).first)
        return [
            .latency("\(mode): latency", sources),
            .throughput("\(mode): done in each second", sources, profile: profile),
        ]
    }

    /// Returns the figures that charts draw, for each case. Repeated runs are added up.
    ///
    /// - Parameter prefix: the beginning of the names.
    func sources(prefix: String = "") -> [Chart.Source] {
        func name(_ run: Run) -> String {
            run.isBare ? run.label + Chart.Line.bareSuffix : run.partOf.map { "\($0): \(run.label)" } ?? run.label
        }
        return runs.map(name).distinct.map { title in
            let runs = runs.filter { name($0) == title }
            let perSecond = (0..<(runs.map(\.perSecond.count).max() ?? 0)).map { second in
                runs.compactMap { second < $0.perSecond.count ? Double($0.perSecond[second].done) : nil }.median ?? 0
            }
            return Chart.Source(
                name: prefix + title, isBare: runs[0].isBare, latencies: runs.latencies, perSecond: perSecond)
        }
    }
}

extension LoadReport {
    /// Returns the verdicts in the XML format of JUnit, which CI servers show: one test case for each verdict.
    public func junit(_ verdicts: [LoadVerdict]) -> String {
        let name = SVG.escaped("waymark bench \(mode)")
        let failures = verdicts.count(where: { $0.complaint != nil })
        func seconds(_ label: String?) -> Double {
            runs.reduce(0) { $0 + ($1.isWhole && $1.label == label ?? $1.label ? $1.figures.seconds : 0) }
        }
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
            <testsuite name="\(name)" tests="\(verdicts.count)" failures="\(failures)" errors="0" skipped="0" \
            time="\(seconds(nil))" timestamp="\(SVG.escaped(at))">
            <properties><property name="command" value="\(SVG.escaped("waymark \(command)"))"/></properties>

            """
        for verdict in verdicts {
            text += "<testcase classname=\"\(name)\" name=\"\(SVG.escaped("\(verdict.label): \(verdict.assertion)"))\" "
            let failure = verdict.complaint.map(SVG.escaped).map {
                "><failure type=\"assertion\" message=\"\($0)\">\($0)</failure></testcase>\n"
            }
            text += "time=\"\(seconds(verdict.label))\"" + (failure ?? "/>\n")
        }
        return text + "</testsuite>\n</testsuites>\n"
    }
}
