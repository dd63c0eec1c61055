// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

extension FeedFollower {
    /// Intervals in milliseconds. Only tests change them.
    package struct Timing {
        /// The silence after which the publisher counts as away.
        package var patience = UInt64(WaymarkProtocol.beaconsMissed * WaymarkProtocol.beaconMilliseconds)
        /// Between two checks for silence.
        package var look: UInt64 = 500
        /// Before a pull that failed, or brought nothing, is repeated.
        package var retryPause: UInt64 = 250
        /// How long a pull may wait for a newer revision while nothing is received. Shorter than the pause after which a
        /// request without an answer is sent again, so that there is one copy of it; and what comes live meanwhile waits
        /// no longer for its page.
        package var wait: UInt32 = 800
        /// Between a page and the next pull that may wait. A log that is busy is read in pages and not change by change.
        package var pagePause: UInt64 = 50
        /// Between two questions where changes are published.
        package var locatePause: UInt64 = 1_000

        package init() {}
    }
}
