// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import WaymarkProtocol

/// The hooks that this service holds, and what it has to tell storage about them. A pure data structure without clock,
/// input and output.
struct HookTurns {
    fileprivate struct Held {
        var hook: WireHook
        /// The state of the hook, and what storage has not accepted yet.
        var progress: WireHookProgress
        /// The number of notes, how many of them the present turn tells, and how many storage has accepted.
        var (notes, sent, accepted) = (0, 0, 0)
        /// The time of the change that is being delivered, in Unix milliseconds; 0 if there is none.
        var pending: UInt64 = 0
    }

    /// The consequences of a turn.
    struct News {
        var begun: [WireHook] = []
        var ended: [UInt64] = []
        /// The messages that are to be sent outside the order.
        var due: [WireHookFailure] = []
        /// The numbers of all such messages that are not done yet.
        var errands: Set<UInt64> = []
    }

    /// The time after the beginning of an accepted turn in which the service may send. Storage gives a hook away after
    /// five seconds.
    static let lease = Duration.seconds(4)
    /// The size in bytes of put-aside bodies, errors and positions from which a turn takes no further ones, so that it is
    /// no larger than a request may be.
    private static let mostBytes = 1 << 20

    private let service: Data
    private var seen: UInt64 = 0
    private var held: [UInt64: Held] = [:]
    /// The hooks of messages that are being sent outside the order, by the messages' numbers.
    private var errands: [UInt64: UInt64] = [:]
    private var turnBegun: Duration?
    /// Hooks whose positions storage refused in this term, which begin anew from its record.
    private var stale: Set<UInt64> = []
    /// Whether the database has no hooks.
    private(set) var isIdle = false

    /// - Parameter service: 16 bytes of the service, made at each start.
    init(service: Data) { self.service = service }

    var count: Int { held.count }

    /// The hooks that are behind: their positions, and the times of the changes that are being delivered.
    var behind: [(rev: UInt64, since: UInt64)] {
        held.values.filter { $0.pending > 0 }.map { ($0.progress.position.rev, $0.pending) }
    }

    /// Makes the next turn.
    mutating func next(leaving: Bool = false) -> WireHookTurn {
        var bytes = 0
        var turn = WireHookTurn.with { ($0.service, $0.seen, $0.leaves) = (service, seen, leaving) }
        for (id, hook) in held where hook.notes > hook.accepted && bytes < Self.mostBytes {
            bytes += hook.progress.gaveUp.reduce(96 + hook.progress.error.utf8.count) { $0 + $1.body.count }
            held[id]?.sent = hook.notes
            turn.progress.append(hook.progress)
        }
        return turn
    }

    /// Takes storage's answer to a turn.
    ///
    /// - Parameter begun: the time at which the turn began.
    mutating func accept(_ answer: WireHookTurns, to turn: WireHookTurn, begun: Duration) -> News {
        var news = News()
        for told in turn.progress where !answer.refused.contains(told.hook) {
            held[told.hook]?.settle(told)
            for number in told.redelivered + told.refused.map(\.number) { errands[number] = nil }
        }
        (turnBegun, seen, isIdle) = (begun, answer.revision, answer.all == 0)
        let holds = Set(answer.held)
        for id in held.keys where !holds.contains(id) { end(id, &news) }
        for hook in answer.hooks where holds.contains(hook.id) {
            let isRefused = stale.remove(hook.id) != nil
            if held[hook.id]?.hook.term == hook.term, !isRefused {
                held[hook.id]?.hook = hook
            } else {
                end(hook.id, &news)
                held[hook.id] = Held(hook)
                news.begun.append(hook)
            }
        }
        // Storage tells a record once, and many records in several turns. If one is missing here after the last of
        // them, or is of an older term, ask for all of them.
        let refused = answer.refused.filter { isStale($0, turn) }
        if answer.hooks.isEmpty, holds.count != held.count || !refused.isEmpty {
            (seen, stale) = (0, stale.union(refused))
        }
        news.due = answer.due.filter { held[$0.hook] != nil && errands[$0.number] == nil }
        errands = answer.due.reduce(into: [:]) { if held[$1.hook] != nil { $0[$1.number] = $1.hook } }
        news.errands = Set(errands.keys)
        return news
    }

    /// Whether storage has refused the term that this service still believes to hold.
    private func isStale(_ id: UInt64, _ turn: WireHookTurn) -> Bool {
        turn.progress.contains { $0.hook == id && $0.term == held[id]?.hook.term }
    }

    private mutating func end(_ id: UInt64, _ news: inout News) {
        guard held.removeValue(forKey: id) != nil else { return }
        news.ended.append(id)
        // A message that was being sent is sent again, with the same id.
        errands = errands.filter { $0.value != id }
    }

    /// Returns the hook as it is now; nil if this service does not hold it any more, or in another term.
    func hook(_ id: UInt64, term: UInt64? = nil) -> WireHook? {
        held[id].flatMap { $0.hook.term == term ?? $0.hook.term ? $0.hook : nil }
    }

    /// Whether the service may send now. After a while without an accepted turn another service may hold the hook.
    func maySend(at now: Duration) -> Bool { turnBegun.map { now - $0 < Self.lease } ?? false }

    /// Whether storage has accepted all notes about a hook.
    func isSettled(_ id: UInt64) -> Bool { held[id].map { $0.notes == $0.accepted } ?? true }

    /// Notes something about a hook for the next turn. Has no effect if the service does not hold it in this term.
    mutating func note(_ id: UInt64, term: UInt64, _ change: (inout WireHookProgress) -> Void) {
        guard var hook = held.removeValue(forKey: id) else { return }
        if hook.hook.term == term {
            change(&hook.progress)
            hook.notes += 1
        }
        held[id] = hook
    }

    /// Notes the time of the change that is being delivered; 0 if there is none. Storage is not told.
    mutating func pending(_ id: UInt64, term: UInt64, since time: UInt64) {
        if held[id]?.hook.term == term { held[id]?.pending = time }
    }
}

extension HookTurns.Held {
    fileprivate init(_ hook: WireHook) {
        self.hook = hook
        progress = .with {
            ($0.hook, $0.term, $0.position) = (hook.id, hook.term, hook.position)
            ($0.lastSuccess, $0.lastTry, $0.error) = (hook.lastSuccess, hook.lastTry, hook.error)
            ($0.failingSince, $0.toldCompacted) = (hook.failingSince, hook.toldCompacted)
        }
    }

    /// Drops what storage has accepted. Notes that were made since then remain.
    fileprivate mutating func settle(_ told: WireHookProgress) {
        guard told.term == progress.term else { return }
        accepted = sent
        progress.delivered -= min(told.delivered, progress.delivered)
        progress.failures -= min(told.failures, progress.failures)
        progress.gaveUp.removeFirst(min(told.gaveUp.count, progress.gaveUp.count))
        progress.redelivered.removeFirst(min(told.redelivered.count, progress.redelivered.count))
        progress.refused.removeFirst(min(told.refused.count, progress.refused.count))
    }
}
