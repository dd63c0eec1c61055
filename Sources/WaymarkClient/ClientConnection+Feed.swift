// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import WaymarkProtocol
internal import WaymarkTransport

extension ClientConnection {
    /// Opens a feed.
    ///
    /// - Parameters:
    ///   - start: the caller's last known position; nil to begin with the next change.
    ///   - filter: the filter, in canonical form.
    func open(after start: Position?, _ filter: FeedFilter) async throws(ClientError) -> FeedToken {
        let welcome = try await hello(topic: FeedTopic(carrying: filter))
        guard channel != nil else { throw .closed }
        let position = start ?? desk.withLock { $0.latest(welcome.position) }
        lastConsumer += 1
        let number = lastConsumer
        let follower = follower(
            loop: loop, context: context, keys: options.keys?.own, filter: filter, from: position,
            tell: { [weak self] event in self?.assumeIsolated { $0.heard(event, consumer: number) } })
        let consumer = FeedConsumer(follower: follower, bounds: options.feedBounds)
        do {
            try follower.subscribe(to: FeedAddress(welcome))
        } catch {
            throw .cannotConnect(endpoint: welcome.changesEndpoint, reason: "\(error)")
        }
        consumers[number] = consumer
        follower.poll()
        return FeedToken(connection: self, number: number, consumer: consumer)
    }

    func closeConsumer(_ number: Int) {
        guard let consumer = consumers.removeValue(forKey: number) else { return }
        closedFeeds += consumer.follower.counters
        consumer.close()
    }

    /// The counters of all feeds of this client, added up, including feeds that have ended.
    var feedCounters: FeedCounters {
        consumers.values.reduce(into: closedFeeds) { $0 += $1.follower.counters }
    }

    /// Asks for the address of the feed again after each new connection, because it may depend on the endpoint in use.
    func findFeedAgain() {
        guard options.endpoints.count > 1, !consumers.isEmpty else { return }
        Task {
            guard let address = try? await findPublisher() else { return }
            for consumer in consumers.values { consumer.follower.move(to: address) }
        }
    }

    private func heard(_ event: FeedEvent, consumer number: Int) {
        guard let consumer = consumers[number] else { return }
        let position = consumer.follower.position
        switch event {
        case .change(let received, let operation):
            do {
                let change = FeedChange(
                    try Change(encoded: received.bytes), as: operation, at: position.at(received.rev))
                consumer.put(.success(.change(change)))
            } catch {
                consumer.put(.failure(.unreadableAnswer(error.description)))
            }
        case .reached(let rev): consumer.put(.success(.reached(position.at(rev))))
        case .lost(let loss): consumer.put(.success(.lost(loss)))
        case .gap(let rev): consumer.put(.success(.gap(position.at(rev))))
        case .resumed(let rev, let replayed): consumer.put(.success(.resumed(position.at(rev), replayed: replayed)))
        case .ended(let error): consumer.put(.failure(.refused(error)))
        }
    }
}

/// Makes the requests of the followers.
extension ClientConnection: FeedReader {
    func readLog(
        after position: Position, matching filter: FeedFilter, wait: UInt32
    ) async throws(ServiceError) -> PulledPage {
        do throws(ClientError) {
            let client = WaymarkClient(self)
            return try await client.changesPage(after: position, matching: filter, limit: 1_000, wait: wait)
        } catch {
            throw error.asServiceError
        }
    }

    func findPublisher() async throws(ServiceError) -> FeedAddress {
        do throws(ClientError) {
            return FeedAddress(try await hello())
        } catch {
            throw error.asServiceError
        }
    }
}

extension FeedAddress {
    fileprivate init(_ welcome: Welcome) {
        self.init(welcome.changesEndpoint, key: welcome.changesKey)
    }
}

extension Position {
    /// Returns the position at a revision that the receiver reports before it moves its own position to that revision.
    fileprivate func at(_ rev: UInt64) -> Position { Position(epoch: epoch, rev: rev, run: run) }
}

extension ClientError {
    /// The error as reported to the follower. Errors other than a service's refusal count as temporary.
    var asServiceError: ServiceError {
        if case .refused(let error) = self { return error }
        if case .keyRefused = self { return ServiceError(.keyEnded, description) }
        return ServiceError(.unavailable, description)
    }
}

extension FeedFilter {
    /// Returns the filter after the checks of the services: its texts must follow the rules of landmarks.
    package func checked() throws(ClientError) -> FeedFilter {
        do { return try FeedFilter(wire) } catch { throw .refused(ServiceError(error)) }
    }
}
