// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The parameters of one `tail`.
struct TailPlan: Sendable {
    enum Start: Hashable, Sendable {
        case since(Moment)
        /// So many of those that match.
        case newest(Int)
        case oldest, new, snapshot
    }

    var start: Start
    var epoch: UUIDv7?
    var until: Moment?
    var follows = true
    var onCompacted = GonePolicy.fail
    var filter = FeedFilter.everything
    var require: Int?
    var timeout: Duration?
    var idle: Duration?

    /// Whether a log that begins later than expected is no error at the start.
    var takesWhatIsKept: Bool {
        switch start {
        case .oldest, .newest: true
        case .since, .new, .snapshot: false
        }
    }
}
