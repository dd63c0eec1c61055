// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// Decides whether the assertions hold.
enum BenchJudge {
    /// One sentence for each assertion that a case violates.
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

    /// The labels of the cases, in order of appearance.
    static func labels(_ runs: [LoadReport.Run]) -> [String] {
        runs.reduce(into: []) { labels, run in
            if run.partOf == nil, !labels.contains(run.label) { labels.append(run.label) }
        }
    }
}
