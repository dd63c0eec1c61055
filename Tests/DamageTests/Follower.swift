// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Landmarks
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

/// A feed followed in the test's own process and recorded in the validator's format.
final class Follower: Sendable {
    struct Seen: Sendable {
        var records: [FeedRecord] = []
        /// The digests of the matching landmarks, according to the feed alone.
        var state: [Landmark.ID: UInt64] = [:]
        var synced: UInt64?
        /// The revision through which every change has arrived.
        var marked: UInt64 = 0
        var position: Position?
        var lost = 0
        var resumed = 0
        var refusal: ErrorCode?
        var isOver = false
    }

    private let state: Locked<Seen>
    private let task: Task<Void, Never>

    /// - Parameter pause: awaited after each item.
    init(
        _ client: WaymarkClient, _ start: FeedStart = .now, matching spec: FilterSpec = FilterSpec(),
        pause: (@Sendable () async -> Void)? = nil
    ) throws {
        let filter = try spec.filter
        var first = Seen()
        switch start {
        case .now: first.records = [.begin(spec, .now)]
        case .snapshot: first.records = [.begin(spec, .snapshot)]
        case .after(let position): first.records = [.begin(spec, .after(position))]
        case .oldest: preconditionFailure("the validator knows no beginning without a position")
        }
        let state = Locked(first)
        self.state = state
        task = Task {
            do {
                for try await item in client.feed(since: start, matching: filter) {
                    state.withLock { $0.handle(item) }
                    await pause?()
                }
            } catch ClientError.refused(let refusal) {
                state.withLock { $0.refusal = refusal.code }
            } catch {}
            state.withLock { $0.isOver = true }
        }
    }

    var seen: Seen { state.withLock { $0 } }
    var records: [FeedRecord] { state.withLock { $0.records } }
    var marked: UInt64 { state.withLock { $0.marked } }
    var isOver: Bool { state.withLock { $0.isOver } }
    var rows: Int { state.withLock { $0.state.count } }
    var synced: UInt64? { state.withLock { $0.synced } }
    var lost: Int { state.withLock { $0.lost } }
    var resumed: Int { state.withLock { $0.resumed } }
    var hasBegun: Bool { state.withLock { $0.position != nil } }

    func end() async {
        task.cancel()
        await task.value
    }
}

extension Follower.Seen {
    fileprivate mutating func handle(_ item: FeedItem) {
        switch item {
        case .landmark(let landmark, let position):
            move(to: position)
            state[landmark.id] = Digest.of(landmark)
            records.append(.row(landmark.id, digest: Digest.of(landmark)))
        case .synced(let position):
            move(to: position)
            (synced, marked) = (position.rev, position.rev)
            records.append(.synced(rev: position.rev))
        case .change(let told):
            move(to: told.position)
            marked = told.position.rev
            let landmark = told.change.landmark
            let isGone = told.operation == .removed || told.operation == .left
            state[landmark.id] = isGone ? nil : Digest.of(landmark)
            records.append(.change(rev: told.change.rev, told.operation, digest: Digest.of(told.change)))
        case .reached(let position):
            move(to: position)
            marked = position.rev
            records.append(.reached(rev: position.rev))
        case .lost:
            lost += 1
            records.append(.lost)
        case .gap(let position): records.append(.gap(rev: position.rev))
        case .resumed(let position, let replayed):
            resumed += 1
            records.append(.resumed(rev: position.rev, replayed: replayed))
        }
    }

    private mutating func move(to position: Position) {
        if self.position?.epoch != position.epoch || self.position?.run != position.run {
            records.append(.epoch(position.epoch, run: position.run))
        }
        self.position = position
    }
}
