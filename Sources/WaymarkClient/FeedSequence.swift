// SPDX-License-Identifier: Apache-2.0

/// A complete feed: changes, positions, and events of the connection.
///
/// Nothing is requested before the first call of `next()`. Each iterator is a separate feed. A feed ends when its
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
            /// The snapshot's remaining rows in reverse order, so that the next row is the last element, and the feed
            /// of the changes after the snapshot.
            case snapshot([EncodedLandmark], Position, FeedToken)
            case live(FeedToken)
            case over
        }

        private let client: WaymarkClient
        private let filter: FeedFilter
        private var stage: Stage

        init(client: WaymarkClient, start: FeedStart, filter: FeedFilter) {
            (self.client, self.filter) = (client, filter)
            stage = .closed(start)
        }

        /// - Throws: ``ClientError`` if the feed cannot continue, because its changes were compacted or the history is
        ///   another.
        public mutating func next() async throws -> FeedItem? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation: isolated (any Actor)?) async throws(ClientError) -> FeedItem? {
            do throws(ClientError) {
                return try await step(isolation)
            } catch {
                stage = .over
                // A cancelled task gets the end of the sequence and no error.
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
                        // Open the feed before the rows are delivered, because after a slow reader the log may no
                        // longer keep the changes that follow the snapshot.
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

/// An open feed, closed when its last reference is released, so that its socket does not outlive its reader.
final class FeedToken: Sendable {
    private let connection: ClientConnection
    private let number: Int
    private let consumer: FeedConsumer

    init(connection: ClientConnection, number: Int, consumer: FeedConsumer) {
        (self.connection, self.number, self.consumer) = (connection, number, consumer)
    }

    func next() async throws(ClientError) -> FeedItem? {
        let (connection, number) = (connection, number)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { consumer.next($0) }
        } onCancel: {
            Task { await connection.closeConsumer(number) }
        }
        return try result?.get()
    }

    deinit {
        let (connection, number) = (connection, number)
        Task { await connection.closeConsumer(number) }
    }
}
