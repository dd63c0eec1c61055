// SPDX-License-Identifier: Apache-2.0

import Glibc

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
        let deepest = max(10, Double(sources.map(\.latencies.count).max() ?? 0))
        let lines = sources.filter { $0.latencies.count > 0 }.map { run in
            // A number of values can support only percentiles up to this one.
            let reach = max(Double(run.latencies.count), 10)
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
        let marks: [(value: Double, label: String)] = [
            (1, "0 %"), (2, "50 %"), (10, "90 %"), (100, "99 %"), (1_000, "99.9 %"), (10_000, "99.99 %"),
            (100_000, "99.999 %"), (1_000_000, "99.9999 %"), (10_000_000, "99.99999 %"),
        ]
        let x = Axis(
            title: "percentile", scale: .logarithmic, range: 1...deepest, ticks: marks.filter { $0.value <= deepest })
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
            ticks: stride(from: 1, through: longest, by: step).map { (value: $0, label: "\(Int($0))") })
        let y = Axis.linear("operations", upTo: highest) { LoadQuantity.text($0, .perSecond) }
        // The point of a second stands in its middle.
        let bands = (profile?.parts ?? []).enumerated().map { place, part in
            (name: "[\(place + 1)] \(part.label)", range: part.begin + 0.5...part.begin + part.seconds + 0.5)
        }
        return Chart(title: title, x: x, y: y, lines: lines, bands: bands)
    }
}

/// One direction of a chart: maps values to positions, and chooses the values that get a label.
struct Axis {
    enum Scale { case linear, logarithmic }

    var title: String
    var scale: Scale
    var range: ClosedRange<Double>
    var ticks: [(value: Double, label: String)]

    /// Makes an axis from 0 to a round number above the highest value, with about five labels.
    static func linear(_ title: String, upTo highest: Double, label: (Double) -> String) -> Axis {
        let highest = highest > 0 && highest.isFinite ? highest : 1
        let rough = highest / 5
        let power = pow(10, floor(log10(rough)))
        let step = [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= rough } ?? 10 * power
        let count = Int(ceil(highest / step))
        let ticks = (0...count).map { (value: Double($0) * step, label: label(Double($0) * step)) }
        return Axis(title: title, scale: .linear, range: 0...(Double(count) * step), ticks: ticks)
    }

    /// Makes an axis of whole powers of ten around the values. Between few powers, 2 and 5 times each have labels, too.
    static func logarithmic(_ title: String, _ values: ClosedRange<Double>, label: (Double) -> String) -> Axis {
        let low = max(values.lowerBound, 1e-9)
        let (first, last) = (floor(log10(low)), max(ceil(log10(max(values.upperBound, low))), floor(log10(low)) + 1))
        let steps: [Double] = last - first <= 3 ? [1, 2, 5] : [1]
        var ticks: [(value: Double, label: String)] = []
        for power in stride(from: first, through: last, by: 1) {
            for step in steps where power < last || step == 1 {
                let value = step * pow(10, power)
                ticks.append((value, label(value)))
            }
        }
        return Axis(title: title, scale: .logarithmic, range: pow(10, first)...pow(10, last), ticks: ticks)
    }

    /// Returns the position of a value: 0 at the beginning of the axis, 1 at its end. Values outside go to the edge.
    func place(_ value: Double) -> Double {
        let place =
            switch scale {
            case .linear: (value - range.lowerBound) / (range.upperBound - range.lowerBound)
            case .logarithmic:
                value <= 0 ? 0 : log(value / range.lowerBound) / log(range.upperBound / range.lowerBound)
            }
        return place.isFinite ? min(max(place, 0), 1) : 0
    }
}
