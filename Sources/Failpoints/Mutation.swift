// SPDX-License-Identifier: Apache-2.0

#if WAYMARK_FAULTS
    internal import Glibc
#endif

/// Deliberate defects, one for each promise, by which the tests of the promises are tested. Nothing at all in a product
/// that is built for use.
public enum Mutation: String, Sendable, CaseIterable {
    /// The receiver takes whatever number comes.
    case skipNumbers = "skip-numbers"
    /// One change in fifty is not sent, and the numbers do not show it.
    case dropPublished = "drop-published"
    case publishBeforeCommit = "publish-before-commit"
    /// Beacons tell a head that nobody has reached.
    case beaconAhead = "beacon-ahead"
    /// A write that is sent again is done again.
    case forgetAnswers = "forget-answers"
    case synchronousNormal = "synchronous-normal"
    /// A snapshot's pages are taken as they came.
    case snapshotUnrepaired = "snapshot-unrepaired"
    /// What is compacted is passed over.
    case compactionSilent = "compaction-silent"
    /// Another history is taken for the same.
    case epochBlind = "epoch-blind"
    /// A feed goes on one revision further than where it was.
    case resumeAhead = "resume-ahead"
    /// Of what waits for a reader, the newest two change places.
    case unordered
    /// One item in fifty is given twice.
    case twice
    /// One landmark in twenty is added without its note.
    case half

    @inline(__always)
    public static func isOn(_ mutation: Mutation) -> Bool {
        #if WAYMARK_FAULTS
            chosen.contains(mutation)
        #else
            false
        #endif
    }

    #if WAYMARK_FAULTS
        private static let chosen: Set<Mutation> = {
            let text = getenv("WAYMARK_MUTATIONS").map { String(cString: $0) } ?? ""
            return Set(
                text.split(separator: ",").map { name in
                    guard let mutation = Mutation(rawValue: String(name)) else {
                        fatalError("WAYMARK_MUTATIONS: \(name) is no mutation")
                    }
                    return mutation
                })
        }()
    #endif
}
