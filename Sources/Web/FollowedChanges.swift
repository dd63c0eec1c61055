// SPDX-License-Identifier: Apache-2.0

package import Logging
package import WaymarkClient

/// The changes for readers in this process that are no streams over HTTP, such as hooks. Like a ``ChangeStream``, a
/// reader has a position, and reads from memory or from the log.
package final class FollowedChanges: Sendable {
    /// A change as a reader sees it.
    package struct Told: Sendable {
        /// The position from which the reader continues after the change.
        package let position: Position
        /// The time of the change, in Unix milliseconds.
        package let at: UInt64
        package let landmark: Landmark.ID
        package let operation: FeedOperation
        /// The change as JSON, as `/v1/changes` sends it.
        package let json: [UInt8]
    }

    package enum Page: Sendable {
        /// `through` is after all of them, and after changes that the reader does not see.
        case told([Told], through: Position, isLast: Bool)
        case refused(ServiceError)
        /// Storage cannot be reached now.
        case unavailable
    }

    private let hub: ChangeHub
    private let client: WaymarkClient
    private let following: Task<Void, Never>

    /// Begins to follow the changes. ``close()`` must follow.
    ///
    /// - Parameter readers: the maximum number of readers.
    package init(_ client: WaymarkClient, readers: Int, logger: Logger) {
        var options = WebOptions(WebOptions.defaultAddress)
        options.readers = readers
        let hub = ChangeHub(options, WebMetrics())
        (self.hub, self.client) = (hub, client)
        following = Task { await hub.follow(client, logger) }
    }

    /// Wakes all readers, and ends their waits from now on.
    package func close() {
        hub.close()
        following.cancel()
    }

    /// The newest position that is known; nil if none is.
    package var head: Position? { hub.head }

    /// - Returns: the reader's number, for ``leave(_:)``; nil if there is no room for another reader.
    package func enter(matching filter: FeedFilter) -> Int? { hub.enter(from: nil, matching: filter) }

    package func leave(_ reader: Int) { hub.leave(reader) }

    /// Returns changes after a position.
    ///
    /// - Parameters:
    ///   - filter: the filter with which the reader entered.
    ///   - most: the maximum number of changes.
    package func page(
        _ reader: Int, matching filter: FeedFilter, after position: Position, most: Int
    ) async -> Page {
        if let page = hub.page(reader, after: position, most: most) {
            let told = page.entries.compactMap { entry in
                entry.operation(matching: filter).map { entry.told(as: $0, epoch: position.epoch) }
            }
            return .told(told, through: page.through, isLast: page.isLast)
        }
        do throws(ClientError) {
            let page = try await client.changes(after: position, matching: filter, limit: most)
            let told = page.changes.map { RingEntry($0).told(as: $0.operation, epoch: position.epoch) }
            return .told(told, through: page.through, isLast: page.through.rev <= position.rev)
        } catch {
            if case .refused(let refusal) = error, !refusal.code.isRetryable { return .refused(refusal) }
            return .unavailable
        }
    }

    /// Waits until there may be changes after a position, but a few seconds at most.
    package func wait(_ reader: Int, after position: Position) async { _ = await hub.wait(reader, after: position) }
}
