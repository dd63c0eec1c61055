// SPDX-License-Identifier: Apache-2.0

import FaultKit

/// The size of a round.
struct RoundOptions: Sendable {
    var seed: UInt64
    var seconds: Double
    var rate: Double
    var subscribers: Int
    var queries: Int
    var directory: String
    var products: String
    var writers = 2
    var feedsEach = 10
    /// The library to load into storage that loses unflushed writes.
    var lossy: String?
    /// A deliberate defect to enable in programs built from mutated sources.
    var mutation: Mutation?

    var processes: Int { max(1, (subscribers + feedsEach - 1) / feedsEach) }
}

/// The result of a round.
struct RoundResult: Sendable {
    var faults: [String: Int] = [:]
    var attempted = 0
    var sent = 0
    var acknowledged = 0
    var unanswered = 0
    var head: UInt64 = 0
    var changes = 0
    var resumes = 0
    var pulls = 0
    var gaps = 0
    var lost = 0
    var replayed: UInt64 = 0
    var snapshots = 0
    var ends = 0
    var violations: [String] = []

    static func += (left: inout RoundResult, right: RoundResult) {
        left.faults.merge(right.faults, uniquingKeysWith: +)
        left.attempted += right.attempted
        left.sent += right.sent
        left.acknowledged += right.acknowledged
        left.unanswered += right.unanswered
        left.head += right.head
        left.changes += right.changes
        left.resumes += right.resumes
        left.pulls += right.pulls
        left.gaps += right.gaps
        left.lost += right.lost
        left.replayed += right.replayed
        left.snapshots += right.snapshots
        left.ends += right.ends
        left.violations += right.violations
    }

    var line: String {
        let all = faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "\(violations.count) violations; \(faults.values.reduce(0, +)) faults (\(all)); "
            + "\(attempted) writes attempted, \(sent) sent, \(acknowledged) acknowledged, \(unanswered) unanswered; "
            + "\(head) revisions, \(changes) received; \(resumes) resumes, \(pulls) pulls, \(gaps) gaps, \(lost) times lost, "
            + "\(replayed) replayed, \(snapshots) snapshots, \(ends) ends"
    }
}
