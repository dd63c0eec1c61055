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
        /// Between two questions where changes are published.
        package var locatePause: UInt64 = 1_000

        package init() {}
    }
}
