// SPDX-License-Identifier: Apache-2.0

#if WAYMARK_FAULTS
    internal import Glibc
    import Synchronization
#endif

/// Named places in the code at which a test kills or stalls a service. They are compiled only with `WAYMARK_FAULTS`.
///
/// Deliberate defects are not here: the fault harness edits them into a copy of the sources.
public enum Failpoint: String, Sendable, CaseIterable {
    /// All commands of a batch are executed, but not committed.
    case beforeCommit = "before-commit"
    /// The batch is durable; no command has been answered.
    case afterCommit = "after-commit"
    /// All commands are answered, but nothing has been published.
    case afterAnswer = "after-answer"
    /// One change has been published, which may not be the last of its batch.
    case afterPublish = "after-publish"
    /// The old database has been copied, but not changed.
    case beforeMigration = "before-migration"
    /// Not a place: if armed, it adds one more migration.
    case nextMigration = "next-migration"
    /// The last step of a migration is done, but not committed.
    case insideMigration = "inside-migration"

    /// Whether a test uses this place. The caller then handles items one by one, which it otherwise handles together.
    @inline(__always)
    public static func isArmed(_ point: Failpoint) -> Bool {
        #if WAYMARK_FAULTS
            FailpointPlan.shared.isArmed(point)
        #else
            false
        #endif
    }

    /// Kills or stalls the process if a test requests it for this place.
    @inline(__always)
    public static func hit(_ point: Failpoint) {
        #if WAYMARK_FAULTS
            FailpointPlan.shared.hit(point)
        #endif
    }
}

#if WAYMARK_FAULTS
    /// The plan in `WAYMARK_FAILPOINTS`, for example `after-commit=kill@137,before-commit=stall:3000%0.01`. `@N` acts
    /// the Nth time, `%P` each time with probability P. Without `@` or `%` it acts every time.
    final class FailpointPlan: Sendable {
        struct Step: Sendable {
            var stall: UInt32?
            var at: UInt64?
            var probability: Double?
        }

        static let shared = FailpointPlan()
        private let steps: [Failpoint: Step]
        private let hits = Mutex<[Failpoint: UInt64]>([:])

        init() {
            var steps: [Failpoint: Step] = [:]
            let text = getenv("WAYMARK_FAILPOINTS").map { String(cString: $0) } ?? ""
            for part in text.split(separator: ",") {
                let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
                guard pair.count == 2, let point = Failpoint(rawValue: pair[0]) else {
                    Self.refuse("WAYMARK_FAILPOINTS: '\(part)' is no failpoint with an action.")
                }
                steps[point] = Self.step(pair[1])
            }
            self.steps = steps
        }

        /// Ends the process, because a test with a wrong plan must not pass.
        private static func refuse(_ sentence: String) -> Never {
            let line = sentence + "\n"
            _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            exit(64)
        }

        private static func step(_ text: String) -> Step {
            var step = Step()
            var action = text[...]
            if let mark = action.lastIndex(where: { $0 == "@" || $0 == "%" }) {
                let number = String(action[action.index(after: mark)...])
                if action[mark] == "@" { step.at = UInt64(number) } else { step.probability = Double(number) }
                action = action[..<mark]
            }
            if action.hasPrefix("stall:") { step.stall = UInt32(action.dropFirst(6)) }
            return step
        }

        func isArmed(_ point: Failpoint) -> Bool { steps[point] != nil }

        func hit(_ point: Failpoint) {
            guard let step = steps[point] else { return }
            let count = hits.withLock { hits in
                hits[point, default: 0] += 1
                return hits[point, default: 0]
            }
            if let at = step.at, at != count { return }
            if let probability = step.probability, .random(in: 0..<1) >= probability { return }
            if let stall = step.stall { usleep(stall * 1_000) } else { kill(getpid(), SIGKILL) }
        }
    }
#endif
