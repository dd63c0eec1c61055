// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One direction of a chart: maps values to positions, and chooses the values that get a label.
struct Axis {
    enum Scale { case linear, logarithmic }

    struct Tick: Hashable {
        var value: Double
        var label: String
    }

    var title: String
    var scale: Scale
    var range: ClosedRange<Double>
    var ticks: [Tick]

    /// Makes an axis from 0 to a round number above the highest value, with about five labels.
    static func linear(_ title: String, upTo highest: Double, label: (Double) -> String) -> Axis {
        let highest = highest > 0 && highest.isFinite ? highest : 1
        let rough = highest / 5
        let power = pow(10, floor(log10(rough)))
        let step = [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= rough } ?? 10 * power
        let count = Int(ceil(highest / step))
        let ticks = (0...count).map { Tick(value: Double($0) * step, label: label(Double($0) * step)) }
        return Axis(title: title, scale: .linear, range: 0...(Double(count) * step), ticks: ticks)
    }

    /// Makes an axis of whole powers of ten around the values. If there are few powers, 2 and 5 times each are
    /// labelled, too.
    static func logarithmic(_ title: String, _ values: ClosedRange<Double>, label: (Double) -> String) -> Axis {
        let low = max(values.lowerBound, 1e-9)
        let (first, last) = (floor(log10(low)), max(ceil(log10(max(values.upperBound, low))), floor(log10(low)) + 1))
        let steps: [Double] = last - first <= 3 ? [1, 2, 5] : [1]
        var ticks: [Tick] = []
        for power in stride(from: first, through: last, by: 1) {
            for step in steps where power < last || step == 1 {
                let value = step * pow(10, power)
                ticks.append(Tick(value: value, label: label(value)))
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
