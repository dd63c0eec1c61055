// SPDX-License-Identifier: Apache-2.0

package import Landmarks
package import WaymarkProtocol
package import ZeroMQ

/// An actor that follows feeds, and sends the requests of its followers.
package protocol FeedReader: Actor {
    /// Requests a page of the change log.
    ///
    /// - Parameter wait: how many milliseconds the service may delay the answer to wait for a change.
    func readLog(
        after position: Position, matching filter: FeedFilter, wait: UInt32
    ) async throws(ServiceError) -> PulledPage

    /// Asks the service for the address of the publisher.
    func findPublisher() async throws(ServiceError) -> FeedAddress
}

extension FeedReader {
    /// Makes a follower that sends its requests through this actor. The follower has not subscribed yet.
    ///
    /// - Parameters:
    ///   - loop: the event loop on which this actor runs.
    ///   - position: the actor's last known position. Later changes are reported.
    ///   - isFixed: whether changes are always published at the same endpoint, so that it need not be asked for.
    ///   - tell: called with each event, on the event loop and in order; never again after ``FeedEvent/ended(_:)``.
    package func follower(
        loop: EventLoop, context: Context, keys: CurveKeyPair? = nil, filter: FeedFilter = .everything,
        from position: Position, timing: FeedFollower.Timing = .init(), isFixed: Bool = false,
        tell: @escaping (FeedEvent) -> Void
    ) -> FeedFollower {
        let link = FollowerLink()
        let follower = FeedFollower(
            loop: loop, context: context, keys: keys, filter: filter, from: position, timing: timing,
            hooks: FeedFollower.Hooks(
                pull: { [weak self] position, wait in
                    self?.assumeIsolated { $0.pull(position, filter, wait, for: link) }
                },
                locate: isFixed ? nil : { [weak self] in self?.assumeIsolated { $0.locate(for: link) } },
                tell: tell))
        link.follower = follower
        return follower
    }

    private func pull(_ position: Position, _ filter: FeedFilter, _ wait: UInt32, for link: FollowerLink) {
        Task {
            let result: Result<PulledPage, ServiceError>
            do throws(ServiceError) {
                result = .success(try await readLog(after: position, matching: filter, wait: wait))
            } catch {
                result = .failure(error)
            }
            link.follower?.pulled(result)
        }
    }

    private func locate(for link: FollowerLink) {
        Task {
            let address = try? await findPublisher()
            link.follower?.located(address)
        }
    }
}

/// A weak reference from a follower's requests back to the follower, which the owner keeps alive.
///
/// `@unchecked Sendable`: `follower` is only touched on the actor that made the link. The follower's callbacks run on
/// that actor's event loop, and the tasks above are isolated to the actor.
private final class FollowerLink: @unchecked Sendable {
    weak var follower: FeedFollower?
}
