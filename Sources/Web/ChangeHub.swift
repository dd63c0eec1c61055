// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import ServiceHost
internal import WaymarkClient
internal import WebServer
internal import ZeroMQ

/// Follows the feed of all changes once, for all readers.
///
/// A reader has no queue but only a position. It reads from the ring (the latest changes in memory), or from the log if
/// the ring lacks the changes that it needs.
final class ChangeHub: Sendable {
    private struct State {
        var readers: ChangeReaders
        var isLive = false
        var isClosed = false
        var isWaking = false
        var lastWake = ContinuousClock.now
        var snapshots = 0
    }

    /// The minimum time between two batches of changes for the same reader.
    private static let batchPause = Duration.milliseconds(100)

    private let state: Locked<State>
    private let snapshotEnded = ChangeSignal()
    let options: WebOptions
    let metrics: WebMetrics

    init(_ options: WebOptions, _ metrics: WebMetrics) {
        (self.options, self.metrics) = (options, metrics)
        let ring = ChangeRing(bytes: options.ringBytes, count: options.ringCount)
        state = Locked(State(readers: ChangeReaders(ring: ring)))
    }

    var isLive: Bool { state.withLock { $0.isLive } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    /// The position of the newest change in the ring; nil until the feed has begun.
    var head: Position? { state.withLock { $0.readers.head } }

    /// Whether one more reader may follow the changes.
    ///
    /// - Parameter network: the reader's network; nil for an address that stands for many readers.
    func hasRoom(for network: IPAddress?) -> Bool { state.withLock { hasRoom(for: network, $0) } }

    private func hasRoom(for network: IPAddress?, _ state: State) -> Bool {
        let own = network.map { state.readers.count(from: $0) } ?? 0
        return state.readers.count < options.readers && own < max(1, options.readers / 4) && !state.isClosed
    }

    /// Adds a reader; ``leave(_:)`` must follow.
    ///
    /// - Returns: the reader's number; nil if there is no room for another reader.
    func enter(from network: IPAddress?, matching filter: FeedFilter) -> Int? {
        state.withLock { state in
            guard hasRoom(for: network, state) else { return nil }
            let number = state.readers.enter(from: network, matching: filter)
            metrics.readers(state.readers.count)
            return number
        }
    }

    func leave(_ reader: Int) {
        state.withLock { state in
            state.readers.leave(reader)
            metrics.readers(state.readers.count)
        }
    }

    /// Waits until this reader may read a page of a snapshot; ``endSnapshot()`` must follow. Only a few pages are read
    /// at the same time, so that other requests are not delayed.
    func waitForSnapshot() async throws {
        guard await snapshotEnded.wait(until: { beginSnapshot() }) else { throw CancellationError() }
    }

    func endSnapshot() {
        state.withLock { $0.snapshots -= 1 }
        snapshotEnded.send()
    }

    /// - Returns: false if the maximum number of pages is being read.
    func beginSnapshot() -> Bool {
        state.withLock { state in
            guard state.snapshots < options.snapshots else { return false }
            state.snapshots += 1
            return true
        }
    }

    func page(_ reader: Int, after position: Position, most: Int) -> ChangeReaders.Page? {
        state.withLock { $0.readers.page(reader, after: position, most: most) }
    }

    /// Waits until there may be something to send.
    ///
    /// - Returns: false if it is only the reader's turn to send a beacon (the regular message without changes).
    func wait(_ reader: Int, after position: Position) async -> Bool {
        await withCheckedContinuation { continuation in
            let told = state.withLock { state in
                state.isClosed ? true : state.readers.wait(continuation, reader, after: position)
            }
            if let told { continuation.resume(returning: told) }
        }
    }

    /// Wakes a reader, if it waits.
    func wake(_ reader: Int) {
        state.withLock { $0.readers.takeWaiter(of: reader) }?.resume(returning: true)
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.readers.wakeAll()
        }
        wake()
    }

    /// Follows the feed until the task is cancelled.
    func follow(_ client: WaymarkClient, _ logger: Logger) async {
        await withTaskGroup { group in
            group.addTask { await self.beat() }
            while !Task.isCancelled {
                do {
                    let position = try await client.hello().position
                    begin(at: position)
                    for try await item in client.feed(since: .after(position)) { handle(item) }
                } catch {
                    logger.debug("the feed of changes is opened again", metadata: ["error": "\(error)"])
                }
                state.withLock { $0.isLive = false }
                try? await Task.sleep(for: .milliseconds(500))
            }
            group.cancelAll()
        }
    }

    /// Forgets the changes in memory; those after `position` follow.
    func begin(at position: Position) {
        state.withLock { $0.readers.begin(at: position) }
        wakeSoon()
    }

    func handle(_ item: FeedItem) {
        switch item {
        case .change(let told):
            let entry = RingEntry(told)
            state.withLock {
                $0.readers.append(entry, epoch: told.position.epoch)
                $0.isLive = true
            }
            wakeSoon()
        case .reached, .resumed: state.withLock { $0.isLive = true }
        case .lost: state.withLock { $0.isLive = false }
        case .landmark, .synced, .gap: break
        }
    }

    /// Wakes the readers that are due, once for several changes that come close together.
    private func wakeSoon() {
        let pause = state.withLock { state -> Duration? in
            guard !state.isWaking, state.readers.hasDue else { return nil }
            state.isWaking = true
            return max(.zero, Self.batchPause - (ContinuousClock.now - state.lastWake))
        }
        guard let pause else { return }
        Task {
            if pause > .zero { try? await Task.sleep(for: pause) }
            wake()
        }
    }

    private func wake() {
        let due = state.withLock { state in
            (state.isWaking, state.lastWake) = (false, .now)
            return state.readers.takeDue()
        }
        for waiter in due { waiter.resume(returning: true) }
    }

    /// Wakes one group of readers after the other for their beacons, because those of ten thousand readers at once
    /// would delay changes and other requests.
    private func beat() async {
        var (turn, next) = (0, ContinuousClock.now)
        while !Task.isCancelled {
            // After the machine has slept, the turns that have passed are not made up for.
            next = max(next + options.beacon / ChangeReaders.turns, .now)
            try? await Task.sleep(until: next, clock: .continuous)
            for waiter in state.withLock({ $0.readers.takeTurn(turn) }) { waiter.resume(returning: false) }
            turn = (turn + 1) % ChangeReaders.turns
        }
    }
}
