// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

extension FeedFollower {
    /// Intervals in milliseconds. Only tests change them.
    package struct Timing {
        /// The silence after which the publisher counts as away.
        package var patience = UInt64(WaymarkProtocol.beaconsMissed * WaymarkProtocol.beaconMilliseconds)
        /// The time between two checks for silence.
        package var look: UInt64 = 500
        /// The pause before repeating a pull that failed or brought nothing.
        package var retryPause: UInt64 = 250
        /// The time for which a pull may wait for a newer revision while nothing is received. Shorter than the pause
        /// after which an unanswered request is sent again, so that only one copy exists; and changes that arrive live
        /// meanwhile wait no longer for the page.
        package var wait: UInt32 = 800
        /// The pause between a page and the next pull that may wait. Under load the log is then read in pages, not
        /// change by change.
        package var pagePause: UInt64 = 50
        /// The pause between two questions for the publisher's address.
        package var locatePause: UInt64 = 1_000

        package init() {}
    }
}
