// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import WaymarkProtocol

/// The turns of the services that deliver. A turn is heartbeat, claim, positions and given-up messages in one.
extension HookRules {
    /// The maximum number of hooks that one turn claims, so that no commit takes long.
    private static let mostClaims = 1_000
    /// The greatest body that is kept. A greater one is made anew from the log.
    fileprivate static let bodyBytes = 1024 * 1024
    fileprivate static let reasonBytes = 400
    private static let dueOfHook = 4

    func turn(_ turn: WireHookTurn, by caller: Caller, head: UInt64, now: UInt64) throws -> WireReply {
        try caller.require(.runHooks)
        _ = try load(now: now)
        var answer = WireHookTurns()
        for progress in turn.progress {
            if try !take(progress, of: turn.service, head: head) { answer.refused.append(progress.hook) }
        }
        if turn.leaves {
            leases.left(turn.service)
            for hook in held(by: turn.service) { give(hook, to: Data()) }
        } else {
            leases.seen(turn.service, at: uptime)
            claim(for: turn.service)
        }
        try write()
        try tell(turn, &answer)
        return .with { $0.hookTurns = answer }
    }

    private func held(by service: Data) -> [WireHook] {
        (hooks ?? [:]).values.filter { $0.holder == service && isRunning($0) }.sorted { $0.revision < $1.revision }
    }

    /// Gives free hooks to a service, until it has its share of all.
    private func claim(for service: Data) {
        let running = (hooks ?? [:]).values.filter(isRunning)
        let share = (running.count + leases.live - 1) / leases.live
        let room = min(share - running.count { $0.holder == service }, Self.mostClaims)
        guard room > 0 else { return }
        let free = running.filter { $0.holder != service && leases.isFree($0.holder, at: uptime) }
        for hook in free.sorted(by: { $0.id < $1.id }).prefix(room) { give(hook, to: service) }
    }

    private func give(_ hook: WireHook, to service: Data) {
        var given = released(hook)
        given.holder = service
        keep(given)
    }

    /// Fills the answer, in pages. The next turn's `seen` says where to go on.
    private func tell(_ turn: WireHookTurn, _ answer: inout WireHookTurns) throws {
        let mine = held(by: turn.service)
        answer.held = mine.map(\.id)
        answer.all = UInt64(hooks?.count ?? 0)
        answer.revision = revision
        // Such a revision was told before a restart of storage.
        let seen = turn.seen > revision ? 0 : turn.seen
        var bytes = 0
        for hook in mine where hook.revision > seen {
            bytes += hook.bytes
            guard bytes <= WaymarkProtocol.pageBytes else {
                answer.revision = answer.hooks.last?.revision ?? seen
                break
            }
            answer.hooks.append(hook)
        }
        guard mine.contains(where: { $0.failed > 0 }) else { return }
        let terms = Dictionary(mine.map { ($0.id, $0.term) }) { first, _ in first }
        bytes = 0
        for id in try table.dueHooks() {
            guard let term = terms[id] else { continue }
            for var failure in try table.due(of: id, limit: Self.dueOfHook) {
                bytes += failure.body.count + 1_024
                guard bytes <= WaymarkProtocol.pageBytes || answer.due.isEmpty else { return }
                failure.term = term
                answer.due.append(failure)
            }
        }
    }

    /// Takes what a service tells of a hook, unless the service does not hold it, or not any more.
    ///
    /// - Returns: whether it was taken. If not, nothing was changed.
    private func take(_ progress: WireHookProgress, of service: Data, head: UInt64) throws -> Bool {
        guard let old = hooks?[progress.hook], old.holder == service, old.term == progress.term, isRunning(old)
        else { return false }
        var (hook, stop, end) = (old, progress.stop, old.position.rev)
        if progress.hasPosition {
            guard progress.position.epoch == present.epoch, progress.position.rev <= head else { return false }
            end = max(end, progress.position.rev)
        }
        // Messages at or before the position came with an earlier copy of this turn.
        var reached = old.position.rev
        for failure in progress.gaveUp where failure.rev > old.position.rev && failure.rev <= head {
            guard try add(failure.kept, to: &hook) else {
                end = reached
                stop = "The list of failed messages is full: resume the hook, then redeliver some of them."
                break
            }
            reached = max(reached, failure.rev)
            end = max(end, reached)
        }
        if end > hook.position.rev { hook.position = position(end) }
        for number in progress.redelivered {
            guard let sent = try table.failure(number), sent.hook == hook.id else { continue }
            try table.delete(failure: number)
            hook.failed -= min(hook.failed, 1)
            hook.failedBytes -= min(hook.failedBytes, UInt64(sent.body.count))
        }
        for failure in progress.refused {
            guard var sent = try table.failure(failure.number), sent.hook == hook.id else { continue }
            (sent.due, sent.reason) = (false, failure.reason.cut(to: Self.reasonBytes))
            sent.at = min(failure.at, UnixTime.latest)
            try table.update(sent)
        }
        hook.add(progress)
        if !stop.isEmpty { hook = released(hook, as: .stopped, stop.cut(to: Self.reasonBytes)) }
        if hook != old { keep(hook) }
        return true
    }
}

extension WireHook {
    /// Enters the figures that people see.
    fileprivate mutating func add(_ progress: WireHookProgress) {
        delivered = delivered.addingReportingOverflow(progress.delivered).partialValue
        failures = failures.addingReportingOverflow(progress.failures).partialValue
        lastSuccess = max(lastSuccess, min(progress.lastSuccess, UnixTime.latest))
        lastTry = max(lastTry, min(progress.lastTry, UnixTime.latest))
        failingSince = min(progress.failingSince, UnixTime.latest)
        error = progress.error.cut(to: HookRules.reasonBytes)
        toldCompacted = max(toldCompacted, min(progress.toldCompacted, WaymarkProtocol.latestRevision))
    }
}

extension WireHookFailure {
    /// A message that was given up, as it is kept.
    fileprivate var kept: WireHookFailure {
        var kept = self
        (kept.due, kept.term, kept.at) = (false, 0, min(at, UnixTime.latest))
        (kept.reason, kept.message) = (reason.cut(to: HookRules.reasonBytes), message.cut(to: 200))
        if kept.body.count > HookRules.bodyBytes { kept.body = Data() }
        return kept
    }
}

extension String {
    /// The beginning of the text, of so many bytes at most.
    fileprivate func cut(to bytes: Int) -> String {
        utf8.count <= bytes ? self : String(decoding: utf8.prefix(bytes - 2), as: UTF8.self)
    }
}
