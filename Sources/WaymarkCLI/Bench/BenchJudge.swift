// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// Decides whether the measured results satisfy the assertions.
enum BenchJudge {
    /// Returns the verdicts on each case: whether something was done in each of its runs, and on each assertion. A case
    /// without a completed operation violates all assertions.
    static func verdicts(_ runs: [LoadReport.Run], _ assertions: [LoadAssertion]) -> [LoadVerdict] {
        runs.labels.flatMap { label -> [LoadVerdict] in
            let (own, bare) = (runs.figures(of: label), runs.bareFigures(of: label))
            let idle = own.filter { $0.done == 0 }
            let list = errors(idle).map { ": \($0)" } ?? ""
            let nothing = idle.isEmpty ? nil : "\(label): nothing was done\(list).\(advice(idle))"
            return [LoadVerdict(label, "something is done", complaint: nothing)]
                + assertions.map { assertion in
                    let judged = assertion.part.map { runs.figures(of: label, part: $0) } ?? own
                    let complaint: String? =
                        switch assertion.judge(judged, bare: assertion.part == nil ? bare : []) {
                        case .holds: nil
                        case .broken(let value): "\(label): \(assertion.complaint(value))"
                        case .unknown where !idle.isEmpty: "\(label): \(assertion) is broken: nothing was done."
                        case .unknown: "\(label): \(assertion.unknown)"
                        }
                    return LoadVerdict(label, assertion.description, complaint: complaint)
                }
        }
    }

    static func complaints(_ runs: [LoadReport.Run], _ assertions: [LoadAssertion]) -> [String] {
        verdicts(runs, assertions).compactMap(\.complaint)
    }

    /// Explains answers that fit no request, the usual first mistake with a service of one's own.
    private static func advice(_ runs: [LoadFigures]) -> String {
        guard runs.contains(where: { $0.errors["foreign_answer"] != nil }) else { return "" }
        return " Answers came that fit no request. To req, return all frames up to the empty one as they came, and "
            + "then anything. For a service that returns the request itself, give --echo (behind an empty frame) or "
            + "dealer (without one)."
    }

    /// Returns the errors with their counts, the most frequent first, such as `timed_out 3`; nil if there were none.
    static func errors(_ runs: [LoadFigures]) -> String? {
        let errors: [String: UInt64] = runs.reduce(into: [:]) { $0.merge($1.errors, uniquingKeysWith: +) }
        let list = errors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        return list.isEmpty ? nil : list.joined(separator: ", ")
    }

    /// The busy share of the generator's time above which the generator itself may limit the results.
    private static let busy = 0.8
    /// The number of late operations per thousand above which the generator counts as too slow for its schedule.
    private static let late = 10.0

    static func warnings(_ runs: [LoadReport.Run]) -> [String] {
        var warnings: [String] = []
        func warn(_ run: LoadReport.Run, if isDue: Bool, _ sentence: String) {
            // Repeated runs of a case give the same warnings.
            let warning = "\(run.label): \(sentence)"
            if isDue, !warnings.contains(warning) { warnings.append(warning) }
        }
        // A case without a completed operation fails, so its figures need no warning.
        for run in runs where run.isWhole && run.figures.done > 0 {
            let (figures, foreign) = (run.figures, run.figures.foreign ?? 0)
            warn(
                run, if: figures.generatorBusy > busy,
                "the generator or its receiver was busy \(LoadQuantity.text(figures.generatorBusy, .fraction)) of the "
                    + "time, so it may be the limit itself: share the load among several programs, or offer less.")
            warn(
                run, if: Double(figures.late) * 1_000 > late * Double(max(1, figures.sent)),
                "the schedule slipped: \(figures.late) of \(figures.sent) operations were sent more than 1 ms late. "
                    + "Latency counts from the intended time; offer less, or give this program its own processor.")
            warn(
                run, if: foreign > 0,
                "\(foreign) messages of other programs arrived and were not counted: others use this bus.")
            warn(
                run, if: figures.skipped > 0,
                "\(figures.skipped) operations were not sent, because too many were in flight or the generator was too "
                    + "far behind: offer less.")
        }
        return warnings
    }
}
