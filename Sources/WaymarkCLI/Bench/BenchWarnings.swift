// SPDX-License-Identifier: Apache-2.0

import LoadTest

enum BenchWarnings {
    /// The busy share of the generator's time above which the generator itself may limit the results.
    private static let busy = 0.8
    /// The number of late operations per thousand above which the generator counts as too slow for its schedule.
    private static let late = 10.0

    static func of(_ runs: [LoadReport.Run]) -> [String] {
        var warnings: [String] = []
        // A case without a completed operation fails, so its figures need no warning.
        for run in runs where run.isWhole && run.figures.done > 0 {
            let figures = run.figures
            if figures.generatorBusy > busy {
                warnings.append(
                    "\(run.label): the generator or its receiver was busy \(LoadQuantity.text(figures.generatorBusy, .fraction)) "
                        + "of the time, so it may be the limit itself: share the load among several programs, or offer less."
                )
            }
            if Double(figures.late) * 1_000 > late * Double(max(1, figures.sent)) {
                warnings.append(
                    "\(run.label): the schedule slipped: \(figures.late) of \(figures.sent) operations were sent more "
                        + "than 1 ms late. Their latency counts from the intended time; offer less, or give the "
                        + "generator a processor of its own.")
            }
            if let foreign = figures.foreign, foreign > 0 {
                warnings.append(
                    "\(run.label): \(foreign) messages of other programs arrived and were not counted: others "
                        + "use this bus.")
            }
            if figures.skipped > 0 {
                warnings.append(
                    "\(run.label): \(figures.skipped) operations were not sent, because too many were in flight or the "
                        + "generator was too far behind: offer less.")
            }
        }
        // Repeated runs of a case give the same warnings: keep each warning once.
        return warnings.reduce(into: []) { unique, warning in
            if !unique.contains(warning) { unique.append(warning) }
        }
    }
}
