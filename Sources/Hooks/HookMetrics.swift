// SPDX-License-Identifier: Apache-2.0

package import Monitoring
internal import ZeroMQ

/// The metrics of hooks. The article in `Monitoring.docc` says which values are a reason to worry.
package final class HookMetrics: MetricsSource {
    struct Counts {
        var (held, revisions, seconds): (UInt64, UInt64, Double) = (0, 0, 0)
        var (tries, failures, givenUp): (UInt64, UInt64, UInt64) = (0, 0, 0)
    }

    private static let table: [Metric<Counts>] = [
        .gauge("waymark_hooks_held", \.held, help: "Hooks that this service delivers."),
        .gauge(
            "waymark_hooks_behind_revisions", \.revisions,
            help: "Revisions by which the hook that is furthest behind is behind; 0 if none has a change to deliver."),
        .measure(
            "waymark_hooks_behind_seconds", { $0.seconds },
            help: "Age of the oldest change that is being delivered to a hook; 0 if there is none."),
        .counter("waymark_hooks_tries_total", \.tries, help: "Messages sent to receivers of hooks, with repetitions."),
        .counter(
            "waymark_hooks_failures_total", \.failures,
            help: "Messages that receivers of hooks did not take, with repetitions."
        ),
        .counter(
            "waymark_hooks_given_up_total", \.givenUp,
            help: "Messages put aside because a hook's receiver did not take them for too long."),
    ]

    package static let definitions = table.compactMap(\.definition)

    private let counts = Locked(Counts())

    package init() {}

    package var families: [MetricFamily] { Self.table.families(of: counts.withLock { $0 }) }

    /// - Parameters:
    ///   - behind: the hooks that have a change to deliver: their positions, and the times of the changes.
    ///   - head: the newest revision.
    ///   - now: the Unix time in milliseconds.
    func held(_ count: Int, _ behind: [(rev: UInt64, since: UInt64)], head: UInt64, now: UInt64) {
        let oldest = behind.map(\.since).min() ?? now
        counts.withLock {
            $0.held = UInt64(count)
            $0.revisions = behind.map { head > $0.rev ? head - $0.rev : 0 }.max() ?? 0
            $0.seconds = now > oldest ? Double(now - oldest) / 1_000 : 0
        }
    }

    func tried(_ outcome: HookOutcome) {
        counts.withLock {
            $0.tries += 1
            if outcome != .taken { $0.failures += 1 }
        }
    }

    func gaveUp() { counts.withLock { $0.givenUp += 1 } }
}
