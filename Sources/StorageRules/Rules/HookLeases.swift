// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Which services deliver for hooks, known by their turns. In memory only: after a start every service counts as one
/// that took its turn a moment ago. Times are measured since the machine started.
struct HookLeases {
    /// The time after a service's last turn after which its hooks are free. A service stops earlier by itself.
    static let lease = Duration.seconds(5)

    private var started: Duration?
    private var turns: [Data: Duration] = [:]

    /// The number of services that deliver, of which one has just taken its turn.
    var live: Int { max(1, turns.count) }

    mutating func seen(_ service: Data, at now: Duration) {
        started = started ?? now
        turns[service] = now
        turns = turns.filter { now - $0.value < Self.lease }
    }

    mutating func left(_ service: Data) { turns[service] = nil }

    func isFree(_ holder: Data, at now: Duration) -> Bool {
        holder.isEmpty || now - (turns[holder] ?? started ?? now) >= Self.lease
    }
}
