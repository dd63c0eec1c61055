// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import Logging
import Synchronization
import WaymarkClient
import WaymarkProtocol

@testable import Hooks
@testable import Web

/// A hook with its log, storage, receiver and time, all simulated. Time passes when somebody waits, and each wait ends
/// with a turn.
final class SimulatedHook: Sendable {
    static let epoch = UUIDv7(high: 1, low: 1)
    /// 2026-01-01.
    private static let begin: UInt64 = 1_767_225_600_000

    struct State {
        var now = Duration.zero
        var hook: WireHook
        var isStopped = false
        var kept: [WireHookFailure] = []
        var delivered: UInt64 = 0
        var failures: UInt64 = 0
        /// The numbers of messages that were sent again, and those that could not be.
        var redelivered: [UInt64] = []
        var refused: [WireHookFailure] = []
        /// The ids of the messages that were taken, and the times of all tries.
        var taken: [String] = []
        var tries: [Duration] = []
        var desk: HookDesk?
    }

    let state: Mutex<State>
    private let changes: [FollowedChanges.Told]
    private let keeps: Int
    private let lost: Range<Duration>
    private let unread: Range<Duration>
    private let answer: @Sendable (HookMessage, Duration) -> HookOutcome

    /// - Parameters:
    ///   - changes: the number of changes in the log.
    ///   - keeps: the maximum number of messages that storage keeps.
    ///   - lost: the time in which storage takes no turn.
    ///   - unread: the time in which the log cannot be read.
    ///   - answer: the receiver's answer to a message at a time.
    init(
        changes: Int, batch: UInt32 = 1, keeps: Int = 1_000, lost: Range<Duration> = .zero ..< .zero,
        unread: Range<Duration> = .zero ..< .zero,
        answer: @escaping @Sendable (HookMessage, Duration) -> HookOutcome
    ) {
        self.changes = (0..<changes).map { Self.told(UInt64($0) + 1) }
        (self.keeps, self.lost, self.unread, self.answer) = (keeps, lost, unread, answer)
        state = Mutex(
            State(
                hook: .with {
                    ($0.id, $0.term, $0.revision, $0.batch, $0.name) = (1, 1, 1, batch, "h")
                    $0.position = WireHookPosition(Position(epoch: Self.epoch, rev: 0))
                }))
    }

    static func told(_ rev: UInt64) -> FollowedChanges.Told {
        FollowedChanges.Told(
            position: Position(epoch: epoch, rev: rev), at: begin, landmark: UUIDv7(high: 2, low: rev),
            operation: .added,
            json: Array(#"{"rev":\#(rev)}"#.utf8))
    }

    /// Delivers until all changes are delivered or put aside, or the hook stops.
    ///
    /// - Parameter due: the message to send again instead; nil for none.
    func run(again due: WireHookFailure? = nil) async {
        let clock = HookClock(
            now: { self.state.withLock { $0.now } },
            unix: { Self.begin + UInt64(self.state.withLock { $0.now } / .milliseconds(1)) },
            sleep: { time in
                try Task.checkCancellation()
                await self.pass(time)
            }, random: { 0.5 })
        let work = HookDesk.Work(
            turn: { turn throws(ClientError) in try self.storage(turn) }, deliver: { _, _, _ in }, follow: { _ in },
            head: { 0 })
        let desk = HookDesk(
            HookTurns(service: Data(count: 16)), HookOptions(), work, clock: clock, metrics: HookMetrics(),
            logger: Logger(label: "test"))
        state.withLock { $0.desk = desk }
        guard let hook = await desk.turn()?.begun.first else { return }
        let source = HookSource(
            page: { [changes, unread] position, most in
                guard !unread.contains(clock.now()) else { return .unavailable }
                let left = changes.drop { $0.position.rev <= position.rev }.prefix(most)
                let through = left.last?.position ?? position
                return .told(Array(left), through: through, isLast: through.rev == UInt64(changes.count))
            },
            // Nothing more comes.
            wait: { _ in withUnsafeCurrentTask { $0?.cancel() } })
        let runner = HookRunner(hook: hook, source: source, sender: Sender(hook: self), desk: desk)
        await Task { if let due { await runner.send(due) } else { await runner.run() } }.value
        _ = await desk.turn()
        state.withLock { $0.desk = nil }
    }

    private func pass(_ time: Duration) async {
        let desk = state.withLock { state in
            state.now += time
            return state.desk
        }
        _ = await desk?.turn()
    }

    /// The rules of storage that matter here.
    private func storage(_ turn: WireHookTurn) throws(ClientError) -> WireHookTurns {
        guard !lost.contains(state.withLock { $0.now }) else { throw .timedOut(endpoint: "") }
        return state.withLock { state in
            for progress in turn.progress where !state.isStopped {
                state.hook.position.rev = max(state.hook.position.rev, progress.position.rev)
                for failure in progress.gaveUp {
                    if state.kept.count == keeps {
                        state.isStopped = true
                        state.hook.position.rev = failure.rev - 1
                    } else {
                        state.kept.append(failure)
                    }
                }
                if !progress.stop.isEmpty { state.isStopped = true }
                state.delivered += progress.delivered
                state.failures += progress.failures
                state.redelivered += progress.redelivered
                state.refused += progress.refused
            }
            return .with {
                ($0.revision, $0.all) = (1, 1)
                $0.held = state.isStopped ? [] : [1]
                if turn.seen < 1 { $0.hooks = [state.hook] }
            }
        }
    }

    private struct Sender: HookSending {
        let hook: SimulatedHook

        func send(_ message: HookMessage, of _: WireHook, if mayTry: @Sendable () -> Bool) async -> HookOutcome? {
            guard mayTry() else { return nil }
            return hook.state.withLock { state in
                let outcome = hook.answer(message, state.now)
                state.tries.append(state.now)
                if outcome == .taken { state.taken.append(message.id) }
                return outcome
            }
        }

        func rest() {}
    }
}
