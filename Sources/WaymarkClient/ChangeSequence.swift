// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import WaymarkProtocol
import WaymarkTransport

/// The changes of a feed, each once and in order, for as long as somebody asks for the next one.
public struct ChangeSequence: AsyncSequence, Sendable {
    public typealias Element = FeedItem

    let token: FeedToken

    public func makeAsyncIterator() -> Iterator { Iterator(token: token) }

    public struct Iterator: AsyncIteratorProtocol {
        let token: FeedToken

        /// - Throws: ``ClientError`` when the feed cannot go on: its changes are compacted, or the history is another.
        public mutating func next() async throws -> FeedItem? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation: isolated (any Actor)?) async throws(ClientError) -> FeedItem? {
            let (client, tap) = (token.client, token.tap)
            let result = await withTaskCancellationHandler {
                await client.next(of: tap)
            } onCancel: {
                Task { await client.closeTap(tap) }
            }
            switch result {
            case .success(let item)?: return item
            case .failure(let error)?: throw error
            case nil: return nil
            }
        }
    }
}

/// Ends a feed when nobody can ask for its next change any more: its socket does not outlive the loop over it.
final class FeedToken: Sendable {
    let client: WaymarkClient
    let tap: Int

    init(client: WaymarkClient, tap: Int) {
        self.client = client
        self.tap = tap
    }

    deinit {
        let (client, tap) = (client, tap)
        Task { await client.closeTap(tap) }
    }
}

extension WaymarkClient {
    /// The feed of all changes.
    ///
    /// - Parameters:
    ///   - position: the last position that was seen; nil to begin with what comes next.
    ///   - endpoint: where changes are published, as ``hello()`` told.
    public func feed(since position: Position?, from endpoint: String) throws(ClientError) -> ChangeSequence {
        lastTap += 1
        let number = lastTap
        let follower = FeedFollower(
            loop: loop, context: context, from: position,
            pull: { [weak self] position in self?.assumeIsolated { $0.pull(position, tap: number) } },
            tell: { [weak self] event in self?.assumeIsolated { $0.heard(event, tap: number) } })
        let tap = FeedTap(follower: follower)
        tap.endpoint = endpoint
        do {
            try follower.subscribe(to: endpoint)
        } catch {
            throw .cannotConnect(endpoint: endpoint, reason: "\(error)")
        }
        taps[number] = tap
        if position != nil { follower.poll() }
        return ChangeSequence(token: FeedToken(client: self, tap: number))
    }

    func next(of tap: Int) async -> Result<FeedItem, ClientError>? {
        guard let tap = taps[tap] else { return nil }
        return await withCheckedContinuation { tap.take($0) }
    }

    func closeTap(_ number: Int) {
        taps.removeValue(forKey: number)?.close()
    }

    private func pull(_ position: Position, tap number: Int) {
        Task {
            let result: Result<PulledPage, ServiceError>
            do throws(ClientError) {
                result = .success(PulledPage(try await changesPage(after: position, limit: 1_000)))
            } catch {
                result = .failure(error.asServiceError)
            }
            taps[number]?.follower.pulled(result)
        }
    }

    private func heard(_ event: FeedEvent, tap number: Int) {
        guard let tap = taps[number] else { return }
        switch event {
        case .change(let wire):
            do {
                tap.put(.success(.change(try Change(wire))))
            } catch {
                tap.put(.failure(.unreadableAnswer(error.description)))
            }
        case .reached:
            if let position = tap.follower.position { tap.put(.success(.reached(position))) }
        case .lost:
            tap.isLost = true
            tap.put(.success(.lost))
            Task { await lookForPublisher(tap: number) }
        case .found:
            tap.isLost = false
            tap.put(.success(.found))
        case .ended(let error): tap.put(.failure(.refused(error)))
        }
    }

    /// A service that was moved publishes elsewhere: ask where, until the feed is heard again. It may be away for long.
    private func lookForPublisher(tap number: Int) async {
        while taps[number]?.isLost == true {
            let welcome = try? await hello()
            guard let tap = taps[number], tap.isLost else { return }
            if let endpoint = welcome?.changesEndpoint, !endpoint.isEmpty, endpoint != tap.endpoint {
                tap.endpoint = endpoint
                try? tap.follower.subscribe(to: endpoint)
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }
}

extension ClientError {
    /// As a puller tells it: what is not the service's own refusal may pass.
    var asServiceError: ServiceError {
        if case .refused(let error) = self { return error }
        return ServiceError(.unavailable, description)
    }
}
