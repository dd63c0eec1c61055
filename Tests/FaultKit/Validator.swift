// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Checks every promise against the histories of all clients and the final database. Modelled on the validator of
/// etcd's robustness tests.
public struct Validator {
    let history: History
    let truth: Truth
    /// Histories that were replaced during the run. A feed may have begun in one of them.
    let former: [UUIDv7: Truth]
    /// Whether every feed that has not ended had time to reach the head.
    let isQuiet: Bool
    var expectations: [FilterSpec: [Expected]] = [:]
    public private(set) var violations: [Violation] = []
    public internal(set) var counts = Counts()

    /// A change that a feed must deliver.
    struct Expected {
        var rev: UInt64
        var operation: FeedOperation
    }

    /// How much was checked.
    public struct Counts: Sendable {
        public var changes = 0
        public var resumes = 0
        public var gaps = 0
        public var lost = 0
        public var replayed: UInt64 = 0
        public var snapshots = 0
        public var ends = 0
        public var acknowledged = 0
        public var unanswered = 0
        public var refused = 0
    }

    public init(_ history: History, truth: Truth, former: [Truth] = [], isQuiet: Bool = true) {
        (self.history, self.truth, self.isQuiet) = (history, truth, isQuiet)
        self.former = Dictionary(former.map { ($0.epoch, $0) }) { $1 }
    }

    public static func check(
        _ history: History, truth: Truth, former: [Truth] = [], isQuiet: Bool = true
    ) -> Validator {
        var validator = Validator(history, truth: truth, former: former, isQuiet: isQuiet)
        validator.violations += truth.problems
        validator.checkWrites()
        validator.checkState()
        for (name, records) in history.feeds.sorted(by: { $0.key < $1.key }) {
            var check = FeedCheck(name, records, validator)
            check.run()
            validator.expectations = check.validator.expectations
            validator.counts = check.validator.counts
            validator.violations += check.violations
        }
        validator.checkSnapshots()
        return validator
    }

    mutating func broken(_ promise: Promise, _ what: String, client: String = "", rev: UInt64 = 0) {
        violations.append(Violation(promise, what, client: client, rev: rev))
    }

    /// All changes that match a filter, in the order of revisions.
    mutating func expected(_ filter: FilterSpec, in truth: Truth) -> [Expected] {
        if truth.epoch == self.truth.epoch, let known = expectations[filter] { return known }
        let all = truth.log.compactMap { entry in
            filter.operation(of: entry).map { Expected(rev: entry.rev, operation: $0) }
        }
        if truth.epoch == self.truth.epoch { expectations[filter] = all }
        return all
    }
}
