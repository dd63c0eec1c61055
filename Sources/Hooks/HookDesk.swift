// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import WaymarkClient
internal import WaymarkProtocol
internal import ZeroMQ

/// Takes turns with storage, and keeps a task for each hook that this service holds.
final class HookDesk: Sendable {
    /// The work of the desk, which tests replace.
    struct Work: Sendable {
        var turn: @Sendable (WireHookTurn) async throws(ClientError) -> WireHookTurns
        /// Delivers the changes of a hook until the task is cancelled, or else sends one message outside the order.
        var deliver: @Sendable (WireHook, WireHookFailure?, HookDesk) async -> Void
        /// Called with true before the first hook is held, and with false after the last.
        var follow: @Sendable (Bool) -> Void
        /// Returns the newest revision that is known; 0 if none is.
        var head: @Sendable () -> UInt64
    }

    let options: HookOptions
    let clock: HookClock
    let metrics: HookMetrics
    private let turns: Locked<HookTurns>
    private let work: Work
    private let logger: Logger

    init(
        _ turns: HookTurns, _ options: HookOptions, _ work: Work, clock: HookClock, metrics: HookMetrics, logger: Logger
    ) {
        (self.options, self.clock, self.metrics) = (options, clock, metrics)
        (self.work, self.logger) = (work, logger)
        self.turns = Locked(turns)
    }

    /// Takes a turn each second until the task is cancelled. Then gives all hooks back.
    func run() async {
        var tasks = Tasks()
        while !Task.isCancelled {
            if let news = await turn() { handle(news, &tasks) }
            let isIdle = turns.withLock { $0.isIdle }
            try? await clock.sleep(isIdle ? options.idleTurn : options.turn)
        }
        await Task { [tasks] in await leave(tasks) }.value
    }

    /// Takes one turn.
    ///
    /// - Returns: nil if there was no answer. What was to be told is told in the next turn.
    func turn(leaving: Bool = false) async -> HookTurns.News? {
        let begun = clock.now()
        let turn = turns.withLock { $0.next(leaving: leaving) }
        do throws(ClientError) {
            let answer = try await work.turn(turn)
            return turns.withLock { $0.accept(answer, to: turn, begun: begun) }
        } catch {
            logger.debug("no turn for hooks", metadata: ["error": "\(error)"])
            return nil
        }
    }

    private struct Tasks {
        var deliveries: [UInt64: Task<Void, Never>] = [:]
        /// By the numbers of the messages.
        var errands: [UInt64: Task<Void, Never>] = [:]
    }

    private func handle(_ news: HookTurns.News, _ tasks: inout Tasks) {
        for id in news.ended { tasks.deliveries.removeValue(forKey: id)?.cancel() }
        if !news.begun.isEmpty, tasks.deliveries.isEmpty { work.follow(true) }
        for hook in news.begun { tasks.deliveries[hook.id] = Task { await work.deliver(hook, nil, self) } }
        if !news.ended.isEmpty, tasks.deliveries.isEmpty { work.follow(false) }
        for number in tasks.errands.keys where !news.errands.contains(number) {
            tasks.errands.removeValue(forKey: number)?.cancel()
        }
        for due in news.due {
            guard let hook = turns.withLock({ $0.hook(due.hook) }) else { continue }
            tasks.errands[due.number] = Task { await work.deliver(hook, due, self) }
        }
        let (count, behind) = turns.withLock { ($0.count, $0.behind) }
        metrics.held(count, behind, head: work.head(), now: clock.unix())
    }

    private func leave(_ tasks: Tasks) async {
        let all = Array(tasks.errands.values) + Array(tasks.deliveries.values)
        for task in all { task.cancel() }
        work.follow(false)
        for task in all { await task.value }
        // Without storage the stop should not wait.
        if maySend { _ = await turn(leaving: true) }
    }

    // MARK: For the tasks

    /// Waits until the service may send for a hook.
    ///
    /// - Returns: the hook as it is now; nil if the service does not hold it any more in this term, or if the task is
    ///   cancelled.
    func permission(_ hook: WireHook) async -> WireHook? {
        while !Task.isCancelled {
            guard let found = turns.withLock({ $0.hook(hook.id, term: hook.term) }) else { return nil }
            if maySend { return found }
            try? await clock.sleep(.milliseconds(500))
        }
        return nil
    }

    var maySend: Bool { turns.withLock { $0.maySend(at: clock.now()) } }

    func note(_ hook: WireHook, _ change: (inout WireHookProgress) -> Void) {
        turns.withLock { $0.note(hook.id, term: hook.term, change) }
    }

    /// Notes the time of the change that is being delivered; 0 if there is none.
    func pending(_ hook: WireHook, since time: UInt64) {
        turns.withLock { $0.pending(hook.id, term: hook.term, since: time) }
    }

    /// Waits until storage has accepted all notes about a hook, or the service does not hold it any more.
    func settle(_ hook: WireHook) async {
        while !Task.isCancelled, turns.withLock({ !$0.isSettled(hook.id) }) {
            try? await clock.sleep(.milliseconds(100))
        }
    }
}
