// SPDX-License-Identifier: Apache-2.0

/// The machine at the beginning and at the end of a run.
struct Calibrations: Codable, Hashable {
    /// The share from which the machine counts as changed.
    private static let most = 0.2

    var before: Calibration
    var after: Calibration

    /// Each figure with its unit, at the beginning and at the end. The 99th percentile of a flush is not judged: it is
    /// one of few values.
    private var figures: [(name: String, unit: String, before: Double, after: Double, isJudged: Bool)] {
        [
            ("a step of integer work", "ns", before.integerStep, after.integerStep, true),
            ("a step of a walk through 64 MiB", "ns", before.memoryStep, after.memoryStep, true),
            ("a flush of 4 KiB, p50", "µs", before.flushP50, after.flushP50, true),
            ("its p99", "µs", before.flushP99, after.flushP99, false),
            ("a round trip over loopback TCP, p50", "µs", before.roundTripP50, after.roundTripP50, true),
        ]
    }

    /// What differs by more than a fifth.
    var changed: [String] {
        figures.filter { $0.isJudged && !Self.agree($0.before, $0.after) }.map(\.name)
    }

    /// A paragraph for people.
    var text: String {
        let told = figures.map {
            "\($0.name) \(FigureUnit.number($0.before)) and \(FigureUnit.number($0.after)) \($0.unit)"
        }
        let verdict =
            changed.isEmpty
            ? "" : " **The machine changed during the run, by more than a fifth:** \(changed.joined(separator: "; "))."
        return "The machine itself, at the beginning and at the end: \(told.joined(separator: "; ")).\(verdict)"
    }

    private static func agree(_ one: Double, _ other: Double) -> Bool {
        max(one, other) <= min(one, other) * (1 + most)
    }
}
