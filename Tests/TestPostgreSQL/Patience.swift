// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Bounded waits.
enum Patience {
    /// - Returns: whether it came true.
    static func until(_ time: Duration, _ isTrue: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + time
        while !isTrue() {
            guard ContinuousClock.now < deadline else { return false }
            usleep(5_000)
        }
        return true
    }
}
