// SPDX-License-Identifier: Apache-2.0

internal import WaymarkTransport

/// The values of a relay at one moment; all are zero without one.
struct RelaySample: Sendable {
    let isThere: Bool
    private(set) var feed = FeedPublisherCounters()
    private(set) var kept: UInt64 = 0
    private(set) var keptBytes: UInt64 = 0
    private(set) var stretches: UInt64 = 0
    private(set) var answered: UInt64 = 0
    private(set) var passedOn: UInt64 = 0

    init(_ desk: RelayDesk?) {
        isThere = desk != nil
        feed.feeds = 0
        guard let desk else { return }
        (feed, stretches) = (desk.publisher.counters, desk.relay.stretches)
        (kept, keptBytes) = (UInt64(desk.log?.count ?? 0), UInt64(desk.log?.bytes ?? 0))
        (answered, passedOn) = (desk.answered, desk.passedOn)
    }
}
