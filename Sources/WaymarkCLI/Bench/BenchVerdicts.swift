// SPDX-License-Identifier: Apache-2.0

import LoadTest

extension BenchJudge {
    /// Returns the verdict on each case: whether anything was done, and on each assertion. In a search for the highest
    /// rate the verdict is whether there is one.
    static func verdicts(_ report: LoadReport, _ assertions: [LoadAssertion], _ cases: [String]) -> [LoadVerdict] {
        if let knees = report.knees {
            let goal = "a rate meets " + assertions.map(\.description).joined(separator: ",")
            return cases.map { label in
                LoadVerdict(
                    label, goal, complaint: knees[label] == nil ? "\(label): no rate meets the assertions." : nil)
            }
        }
        return report.runs.labels.flatMap { label -> [LoadVerdict] in
            let runs = report.runs.filter { $0.label == label || $0.partOf == label }
            let idle = complaints(runs, [])
            return [LoadVerdict(label, "something is done", complaint: idle.first)]
                + assertions.map { assertion in
                    let broken = complaints(runs, [assertion]).dropFirst(idle.count)
                    return LoadVerdict(label, assertion.description, complaint: broken.first)
                }
        }
    }
}

extension LoadVerdict {
    /// The only verdict on a test that was ended early.
    ///
    /// - Parameter reason: the sentence about the rule that ended it; nil if a person did.
    static func endedEarly(_ mode: String, _ reason: String?) -> LoadVerdict {
        LoadVerdict(
            mode, "runs to its end",
            complaint: reason ?? "The test was ended early, so its assertions were not checked.")
    }
}
