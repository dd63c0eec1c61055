// SPDX-License-Identifier: Apache-2.0

/// A complete feed: changes, positions, and the state of the connection.
///
/// Nothing is requested before the first call of `next()`. Each iterator is a separate feed. The feed ends when the
/// iterator is released, when its task is cancelled, or with an error that says why it cannot continue.
public struct FeedSequence: AsyncSequence, Sendable {
    public typealias Element = FeedItem

    let client: WaymarkClient
    let start: FeedStart
    let filter: FeedFilter

    public func makeAsyncIterator() -> Iterator { Iterator(client: client, start: start, filter: filter) }

    public struct Iterator: AsyncIteratorProtocol {
        private enum Stage {
            case closed(FeedStart)
            /// The remaining rows of the snapshot in reverse, so that the next one is the last, and the feed that
            /// follows it.
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

        /// - Throws: ``ClientError`` when the feed cannot continue: its changes were compacted, or the history has
        ///   changed.
        public mutating func next() async throws -> FeedItem? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation: isolated (any Actor)?) async throws(ClientError) -> FeedItem? {
            do throws(ClientError) {
                return try await step(isolation)
            } catch {
                stage = .over
                // A cancelled task gets the end of the sequence instead of an error.
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
                    case .now: stage = .live(try await client.connection.open(after: nil, filter))
                    case .after(let position): stage = .live(try await client.connection.open(after: position, filter))
                    case .oldest:
                        let beginning = try await client.locate(before: 0).position
                        stage = .live(try await client.connection.open(after: beginning, filter))
                    case .snapshot:
                        let (rows, position) = try await SnapshotSteps.all(client, matching: filter)
                        // Open the feed before the rows are read: a slow reader might find the changes after the
                        // snapshot compacted.
                        let token = try await client.connection.open(after: position, filter)
                        stage = .snapshot(rows.reversed(), position, token)
                    }
                case .snapshot(var rows, let position, let token):
                    // Release the rows from `stage` first, so that removing one does not copy the array.
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

/// An open feed, closed when its last reference is released: its socket does not outlive the loop over the feed.
final class FeedToken: Sendable {
    private let connection: ClientConnection
    private let consumer: Int

    init(connection: ClientConnection, consumer: Int) {
        (self.connection, self.consumer) = (connection, consumer)
    }

    func next() async throws(ClientError) -> FeedItem? {
        let (connection, consumer) = (connection, consumer)
        let result = await withTaskCancellationHandler {
            await connection.next(of: consumer)
        } onCancel: {
            Task { await connection.closeConsumer(consumer) }
        }
        return try result?.get()
    }

    deinit {
        let (connection, consumer) = (connection, consumer)
        Task { await connection.closeConsumer(consumer) }
    }
}
