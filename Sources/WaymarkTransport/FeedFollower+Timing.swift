// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

extension FeedFollower {
    /// Intervals in milliseconds. Only tests change them.
    package struct Timing {
        /// The silence after which the publisher counts as unreachable.
        package var patience = UInt64(WaymarkProtocol.beaconsMissed * WaymarkProtocol.beaconMilliseconds)
        /// The time between two checks for silence.
        package var look: UInt64 = 500
        /// The pause before repeating a pull that failed or brought nothing.
        package var retryPause: UInt64 = 250
        /// How long the service may delay the answer to a pull, waiting for a newer revision, while the feed is silent.
        /// It is shorter than the pause after which a request is sent again, so that only one copy exists. It is also
        /// the longest time for which changes that arrive live meanwhile wait for the page.
        package var wait: UInt32 = 800
        /// The pause between a page and the next pull. It makes full pages under load, instead of single changes.
        package var pagePause: UInt64 = 50
        /// The pause between two requests for the publisher's address.
        package var locatePause: UInt64 = 1_000

        package init() {}
    }
}
