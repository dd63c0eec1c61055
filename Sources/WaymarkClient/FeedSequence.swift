// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// A feed with everything that it has to tell: changes, positions, and what became of the connection.
///
/// Nothing happens before the first item is asked for. Each iterator is a feed of its own; it ends when it is let go,
/// when its task is cancelled, or with an error that says why it cannot go on.
public struct FeedSequence: AsyncSequence, Sendable {
    public typealias Element = FeedItem

    let client: WaymarkClient
    let start: FeedStart
    let filter: FeedFilter

    public func makeAsyncIterator() -> Iterator { Iterator(client: client, start: start, filter: filter) }

    public struct Iterator: AsyncIteratorProtocol {
        private enum Stage {
            case closed(FeedStart)
            /// What is left of the snapshot, the next one last, and the feed that follows it.
            case snapshot([EncodedLandmark], Position, FeedToken)
            case live(FeedToken)
            case over
        }

        private let client: WaymarkClient
        private let filter: FeedFilter
        private var stage: Stage

        init(client: WaymarkClient, start: FeedStart, filter: FeedFilter) {
            self.client = client
            self.filter = filter
            stage = .closed(start)
        }

        /// - Throws: ``ClientError`` when the feed cannot go on: its changes are compacted, or the history is another.
        public mutating func next() async throws -> FeedItem? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation: isolated (any Actor)?) async throws(ClientError) -> FeedItem? {
            do throws(ClientError) {
                return try await step(isolation)
            } catch {
                stage = .over
                // Whoever has cancelled its task does not want to hear that this ended something.
                if Task.isCancelled { return nil }
                throw error
            }
        }

        private mutating func step(_ isolation: isolated (any Actor)?) async throws(ClientError) -> FeedItem? {
            while true {
                switch stage {
                case .over: return nil
                case .closed(let start):
                    let filter = try filter.checked()
                    switch start {
                    case .now: stage = .live(try await client.open(after: nil, filter))
                    case .after(let position): stage = .live(try await client.open(after: position, filter))
                    case .snapshot:
                        let (rows, position) = try await client.snapshot(matching: filter)
                        // Now, for whoever takes the rows slowly may find the changes after them compacted.
                        stage = .snapshot(rows.reversed(), position, try await client.open(after: position, filter))
                    }
                case .snapshot(var rows, let position, let token):
                    // So that there is one owner of the rows while one is taken away.
                    stage = .over
                    guard let row = rows.popLast() else {
                        stage = .live(token)
                        return .synced(position)
                    }
                    stage = .snapshot(rows, position, token)
                    return .landmark(try row.landmark(), position)
                case .live(let token):
                    let item = try await token.next()
                    if item == nil { stage = .over }
                    return item
                }
            }
        }
    }
}

/// An open feed. It ends when nobody can ask for its next change any more: its socket does not outlive the loop over it.
final class FeedToken: Sendable {
    private let client: WaymarkClient
    private let tap: Int

    init(client: WaymarkClient, tap: Int) {
        self.client = client
        self.tap = tap
    }

    func next() async throws(ClientError) -> FeedItem? {
        let (client, tap) = (client, tap)
        let result = await withTaskCancellationHandler {
            await client.next(of: tap)
        } onCancel: {
            Task { await client.closeTap(tap) }
        }
        return try result?.get()
    }

    deinit {
        let (client, tap) = (client, tap)
        Task { await client.closeTap(tap) }
    }
}
