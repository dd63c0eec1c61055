// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// Whether what was asserted holds.
enum BenchJudge {
    /// One sentence for each assertion that a case breaks.
    static func complaints(_ runs: [LoadReport.Run], _ assertions: [LoadAssertion]) -> [String] {
        labels(runs).flatMap { label -> [String] in
            let figures = runs.filter { $0.label == label && !$0.isBare && $0.partOf == nil }.map(\.figures)
            let bare = runs.filter { $0.label == label && $0.isBare }.map(\.figures)
            return assertions.compactMap { assertion -> String? in
                switch assertion.judge(figures, bare: bare) {
                case .holds: nil
                case .broken(let value): "\(label): \(assertion.complaint(value))"
                case .unknown: "\(label): \(assertion.unknown)"
                }
            }
        }
    }

    /// Of the cases, in the order in which they came.
    static func labels(_ runs: [LoadReport.Run]) -> [String] {
        runs.reduce(into: []) { labels, run in
            if run.partOf == nil, !labels.contains(run.label) { labels.append(run.label) }
        }
    }
}
