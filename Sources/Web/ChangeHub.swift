// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import NIOConcurrencyHelpers
internal import ServiceHost
internal import WaymarkClient
internal import WebServer

/// Follows the feed of all changes once, for all readers.
///
/// A reader has no queue but only a position. It reads from the ring (the latest changes in memory), or from the log if
/// the ring lacks the changes that it needs.
final class ChangeHub: Sendable {
    private struct State {
        var ring: ChangeRing
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isLive = false
        var isClosed = false
        var isWaking = false
        var lastWake = ContinuousClock.now
        var readers = 0
        var readersOf: [IPAddress: Int] = [:]
        var snapshots = 0
    }

    /// The minimum time between two batches of changes for the same reader.
    private static let batchPause = Duration.milliseconds(100)

    private let state: NIOLockedValueBox<State>
    private let snapshotEnded = ChangeSignal()
    private let options: WebOptions
    let metrics: WebMetrics

    init(_ options: WebOptions, _ metrics: WebMetrics) {
        (self.options, self.metrics) = (options, metrics)
        state = NIOLockedValueBox(State(ring: ChangeRing(bytes: options.ringBytes, count: options.ringCount)))
    }

    var isLive: Bool { state.withLockedValue { $0.isLive } }
    var isClosed: Bool { state.withLockedValue { $0.isClosed } }

    /// Whether one more reader may follow the changes.
    ///
    /// - Parameter network: the reader's network; nil for an address that stands for many readers.
    func hasRoom(for network: IPAddress?) -> Bool { state.withLockedValue { hasRoom(for: network, $0) } }

    private func hasRoom(for network: IPAddress?, _ state: State) -> Bool {
        let own = network.flatMap { state.readersOf[$0] } ?? 0
        return state.readers < options.readers && own < max(1, options.readers / 4) && !state.isClosed
    }

    /// - Returns: false if there is no room for another reader.
    func enter(from network: IPAddress?) -> Bool {
        state.withLockedValue { state in
            guard hasRoom(for: network, state) else { return false }
            state.readers += 1
            if let network { state.readersOf[network, default: 0] += 1 }
            metrics.readers(state.readers)
            return true
        }
    }

    func leave(to network: IPAddress?) {
        state.withLockedValue { state in
            state.readers -= 1
            if let network {
                let left = (state.readersOf[network] ?? 1) - 1
                state.readersOf[network] = left > 0 ? left : nil
            }
            metrics.readers(state.readers)
        }
    }

    /// Waits until this reader may read a page of a snapshot; ``endSnapshot()`` must follow. Only a few pages are read
    /// at the same time, so that other requests are not delayed.
    func waitForSnapshot() async throws {
        guard await snapshotEnded.wait(until: { beginSnapshot() }) else { throw CancellationError() }
    }

    func endSnapshot() {
        state.withLockedValue { $0.snapshots -= 1 }
        snapshotEnded.send()
    }

    /// - Returns: false if the maximum number of pages is being read.
    func beginSnapshot() -> Bool {
        state.withLockedValue { state in
            guard state.snapshots < options.snapshots else { return false }
            state.snapshots += 1
            return true
        }
    }

    func entries(after position: Position, most: Int) -> [RingEntry]? {
        state.withLockedValue { $0.ring.entries(after: position, most: most) }
    }

    /// Returns once there may be something to send: a change, or the next beacon (the regular message without changes).
    func wait(after position: Position) async {
        await withCheckedContinuation { continuation in
            let hasNews = state.withLockedValue { state in
                if state.isClosed { return true }
                if let head = state.ring.head, head.epoch != position.epoch || head.rev > position.rev { return true }
                state.waiting.append(continuation)
                return false
            }
            if hasNews { continuation.resume() }
        }
    }

    func close() {
        state.withLockedValue { $0.isClosed = true }
        wake()
    }

    /// Follows the feed until the task is cancelled.
    func follow(_ client: WaymarkClient, _ logger: Logger) async {
        await withTaskGroup { group in
            group.addTask { await self.beat() }
            while !Task.isCancelled {
                do {
                    let position = try await client.hello().position
                    state.withLockedValue { $0.ring.begin(at: position) }
                    for try await item in client.feed(since: .after(position)) { handle(item) }
                } catch {
                    logger.debug("the feed of changes is opened again", metadata: ["error": "\(error)"])
                }
                state.withLockedValue { $0.isLive = false }
                try? await Task.sleep(for: .milliseconds(500))
            }
            group.cancelAll()
        }
    }

    private func handle(_ item: FeedItem) {
        switch item {
        case .change(let told):
            let entry = RingEntry(told)
            state.withLockedValue {
                $0.ring.append(entry, epoch: told.position.epoch)
                $0.isLive = true
            }
            wakeSoon()
        case .reached, .resumed: state.withLockedValue { $0.isLive = true }
        case .lost: state.withLockedValue { $0.isLive = false }
        case .landmark, .synced, .gap: break
        }
    }

    /// Wakes the readers once for several changes that come close together.
    private func wakeSoon() {
        let pause = state.withLockedValue { state -> Duration? in
            guard !state.isWaking, !state.waiting.isEmpty else { return nil }
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
        let waiting = state.withLockedValue { state in
            (state.isWaking, state.lastWake) = (false, .now)
            defer { state.waiting.removeAll() }
            return state.waiting
        }
        for waiter in waiting { waiter.resume() }
    }

    /// Wakes the readers at each time for a beacon.
    private func beat() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: options.beacon)
            wake()
        }
    }
}
