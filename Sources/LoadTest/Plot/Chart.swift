// SPDX-License-Identifier: Apache-2.0

/// A line chart in a frame.
struct Chart {
    struct Line {
        var name: String
        var points: [(x: Double, y: Double)]
        /// Whether the line is a reference for another line. References are dashed and drawn behind the other lines.
        var isBackground = false

        /// The suffix of the name of a reference line.
        static let bareSuffix = ", bare"

        /// The name without the suffix, which a line and its reference share.
        var family: Substring {
            isBackground && name.hasSuffix(Self.bareSuffix) ? name.dropLast(Self.bareSuffix.count) : Substring(name)
        }
    }

    /// The figures of a case that charts draw.
    struct Source {
        var name: String
        /// Whether the case was run over the bare bus, as the reference of another case.
        var isBare = false
        var latencies = Latencies()
        /// The number of operations in each second of the run.
        var perSecond: [Double] = []
    }

    var title: String
    var x: Axis
    var y: Axis
    var lines: [Line]
    /// The shaded stretches behind the lines, with their names.
    var bands: [(name: String, range: ClosedRange<Double>)] = []

    /// Makes a chart of latency by percentile. The axis stretches towards 100 %: 90, 99 and 99.9 % are equally far
    /// apart.
    static func latency(_ title: String, _ sources: [Source]) -> Chart {
        var deepest = 1.0
        let lines = sources.filter { $0.latencies.count > 0 }.map { run in
            let count = Double(run.latencies.count)
            // A number of values can support only percentiles up to this one.
            let reach = max(count, 10)
            deepest = max(deepest, reach)
            var points: [(x: Double, y: Double)] = []
            var share = 1.0
            while share <= reach {
                let percentile = 100 * (1 - 1 / share)
                points.append((share, Double(run.latencies.at(percentile)) / 1_000))
                share *= 1.05
            }
            points.append((reach, Double(run.latencies.at(100)) / 1_000))
            return Line(name: run.name, points: points, isBackground: run.isBare)
        }
        let heights = lines.flatMap { $0.points.map(\.y) }.filter { $0 > 0 }
        let range = (heights.min() ?? 1)...(heights.max() ?? 10)
        let marks: [(Double, String)] = [
            (1, "0 %"), (2, "50 %"), (10, "90 %"), (100, "99 %"), (1_000, "99.9 %"), (10_000, "99.99 %"),
            (100_000, "99.999 %"), (1_000_000, "99.9999 %"), (10_000_000, "99.99999 %"),
        ]
        let x = Axis(
            title: "percentile", scale: .logarithmic, range: 1...max(deepest, 10),
            ticks: marks.filter { $0.0 <= max(deepest, 10) }.map { Axis.Tick(value: $0.0, label: $0.1) })
        let y = Axis.logarithmic("latency", range) { LoadQuantity.text($0, .microseconds) }
        return Chart(title: title, x: x, y: y, lines: lines)
    }

    /// Makes a chart of the operations done in each second of the run, shaded by the parts of its profile.
    static func throughput(_ title: String, _ sources: [Source], profile: LoadProfile? = nil) -> Chart {
        let lines = sources.filter { !$0.perSecond.isEmpty }.map { run in
            Line(
                name: run.name, points: run.perSecond.enumerated().map { (Double($0 + 1), $1) },
                isBackground: run.isBare)
        }
        let longest = Double(max(lines.map(\.points.count).max() ?? 1, 2))
        let highest = sources.flatMap(\.perSecond).max() ?? 1
        let step = max(1, (longest / 10).rounded(.up))
        let x = Axis(
            title: "second", scale: .linear, range: 1...longest,
            ticks: stride(from: 1, through: longest, by: step).map { Axis.Tick(value: $0, label: "\(Int($0))") })
        let y = Axis.linear("operations", upTo: highest) { LoadQuantity.text($0, .perSecond) }
        // The point of a second stands in its middle.
        let bands = (profile?.parts ?? []).enumerated().map { place, part in
            (name: "[\(place + 1)] \(part.label)", range: part.begin + 0.5...part.begin + part.seconds + 0.5)
        }
        return Chart(title: title, x: x, y: y, lines: lines, bands: bands)
    }
}
