// SPDX-License-Identifier: Apache-2.0

/// The changes that match a filter, each once and in order. The sequence continues until its task is cancelled.
///
/// ```swift
/// let harbour = try Area.circle(at: Coordinate(latitude: -33.8568, longitude: 151.2153), radius: 2_000)
/// for try await change in client.changes(since: .now, matching: FeedFilter(area: harbour)) {
///     print(change.operation, change.change.landmark.name)
/// }
/// ```
///
/// With ``FeedStart/snapshot`` the matching landmarks come first. Each is an `entered` change with the revision of the
/// landmark's present state and with the position of the whole snapshot. ``FeedSequence`` tells them apart.
public typealias ChangeSequence = AsyncCompactMapSequence<FeedSequence, FeedChange>

extension FeedItem {
    /// The change in the item; nil if the item is about the feed itself.
    var asChange: FeedChange? {
        switch self {
        case .change(let change): return change
        case .landmark(let landmark, let position):
            let change = Change(
                rev: landmark.rev, at: landmark.updated, operation: .changed, user: landmark.user, landmark: landmark,
                before: nil)
            return FeedChange(change, as: .entered, at: position)
        case .synced, .reached, .lost, .gap, .resumed: return nil
        }
    }
}
