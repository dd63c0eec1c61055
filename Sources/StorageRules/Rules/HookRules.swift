// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import WaymarkProtocol

/// The rules for hooks: who may have how many, what a change of a hook does, and, in an extension, the turns of the
/// services that deliver. A change of a hook makes no revision of landmarks.
///
/// All hooks are held in memory, as the table has them. A rollback drops them, and the next command reads them again.
final class HookRules {
    /// The maximum number of hooks.
    static let most = 10_000
    /// The maximum numbers of hooks of one account, and of an administrator's.
    private static let mostOfAccount = 10
    private static let mostOfAdmin = 1_000
    /// Limits of the messages that are kept for one hook.
    static let mostFailed: UInt32 = 1_000
    static let mostFailedBytes: UInt64 = 16 * 1024 * 1024
    /// How many milliseconds a former secret stays valid.
    private static let formerSecret: UInt64 = 24 * 3_600_000
    /// The maximum size of the hooks in an answer to a change of all.
    private static let answerBytes = 64 * 1024

    let table: any HookTable
    private let accounts: any AccountTable
    var leases = HookLeases()
    /// All hooks by their numbers; nil if they have to be read.
    private(set) var hooks: [UInt64: WireHook]?
    /// The numbers of hooks that are in memory only.
    private var unwritten: Set<UInt64> = []
    /// The epoch and the run of new positions.
    private(set) var present = WireHookPosition()
    /// The newest revision of a hook. It never falls, so that no service misses a change: it also begins at the wall
    /// clock's milliseconds, because a removed hook may have had the newest one before the last start.
    private(set) var revision: UInt64 = 0
    /// The time since the machine started.
    var uptime = Duration.zero

    init(_ tables: WriterTables) { (table, accounts) = (tables.hooks, tables.accounts) }

    func rollBack() { (hooks, unwritten) = (nil, []) }

    /// Reads the hooks unless they are in memory. Every command calls it first.
    func load(now: UInt64) throws -> [UInt64: WireHook] {
        if let hooks { return hooks }
        let all = try table.allHooks()
        present = WireHookPosition(try table.present())
        revision = max(revision, now, all.map { min($0.revision, WaymarkProtocol.latestRevision) }.max() ?? 0)
        let read = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        hooks = read
        return read
    }

    func nextRevision() -> UInt64 {
        revision += 1
        return revision
    }

    /// Keeps a hook, to be written by ``write()``.
    func keep(_ hook: WireHook) {
        hooks?[hook.id] = hook
        unwritten.insert(hook.id)
    }

    func write() throws {
        guard !unwritten.isEmpty else { return }
        try table.update(unwritten.sorted().compactMap { hooks?[$0] })
        unwritten = []
    }

    /// Whether a service may deliver for a hook. A database that was restored or copied has another epoch than the
    /// positions of its hooks, so that a trial of a backup sends nothing to anybody.
    func isRunning(_ hook: WireHook) -> Bool { hook.state == .active && hook.position.epoch == present.epoch }

    // MARK: Requests of people

    func add(_ draft: HookDraft, by caller: Caller, head: UInt64, now: UInt64) throws -> WireReply {
        try caller.require(.hook)
        let all = try load(now: now)
        let own = all.values.filter { $0.account == caller.number }
        var hook = draft.hook
        guard !own.contains(where: { $0.name == hook.name }) else { throw Refusal.hookTaken(hook.name) }
        guard all.count < Self.most else { throw Refusal.tooMany(Self.most, "hooks", "There are") }
        let mostOwn = caller.isUnlimited ? caller.number == 0 ? Self.most : Self.mostOfAdmin : Self.mostOfAccount
        guard own.count < mostOwn else { throw Refusal.tooMany(mostOwn, "hooks", "An account has") }
        let rev =
            switch draft.wire.from {
            case .start(true)?: try table.floor() - 1
            case .rev(let wanted)?: wanted
            default: head
            }
        guard rev <= head else { throw Refusal.futureHook(head) }
        (hook.account, hook.user) = (caller.number, caller.user)
        (hook.created, hook.revision, hook.position) = (now, nextRevision(), position(rev))
        hook.id = try table.insert(hook)
        hooks?[hook.id] = hook
        return reply([hook], head, secret: true)
    }

    func change(_ change: HookChange, by caller: Caller, head: UInt64, now: UInt64) throws -> WireReply {
        try caller.require(.hook)
        let wire = change.wire
        guard wire.rev <= head else { throw Refusal.futureHook(head) }
        let all = try load(now: now)
        let theirs = all.values.filter { caller.usesOthersHooks || $0.account == caller.number }
        if wire.all, [.pause, .resume].contains(wire.act) {
            var changed: [WireHook] = []
            let pauses = wire.act == .pause
            for hook in theirs.sorted(by: { $0.id < $1.id }) where hook.state != .stopped && isRunning(hook) == pauses {
                // The hook of an account that has ended must not keep others from going on.
                do {
                    changed.append(try pauses ? released(hook, as: .paused) : resumed(hook, wire, head))
                } catch is ServiceError {}
            }
            changed.forEach(keep)
            try write()
            return reply(changed, head)
        }
        let found = theirs.filter { $0.isCalled(wire.name) }
        guard var hook = WireHook.chosen(found, by: caller.number) else { throw Refusal.noHook(wire.name) }
        var tells = false
        switch wire.act {
        case .pause: if hook.state == .active { hook = released(hook, as: .paused) }
        case .resume: hook = try resumed(hook, wire, head)
        case .rotate:
            (hook.formerSecret, hook.formerUntil) = (hook.secret, now + Self.formerSecret)
            hook.secret = Data(change.secret)
            hook.revision = nextRevision()
            tells = true
        case .remove:
            try table.delete(hook: hook.id)
            hooks?[hook.id] = nil
            return reply([hook], head)
        case .test, .redeliver:
            guard isRunning(hook) else { throw Refusal.restingHook(hook.name) }
            let rev = wire.act == .test ? 0 : wire.rev
            guard wire.act == .test || rev > 0 else { throw Refusal.futureHook(head) }
            if rev > 0, var kept = try table.failure(of: hook.id, rev: rev) {
                kept.due = true
                try table.update(kept)
            } else {
                // Only the last test stays on the list.
                if rev == 0, let last = try table.failure(of: hook.id, rev: 0), !last.due {
                    try table.delete(failure: last.number)
                    hook.failed -= min(hook.failed, 1)
                }
                guard try add(.with { ($0.rev, $0.at, $0.due) = (rev, now, true) }, to: &hook) else {
                    throw Refusal.fullHook(hook.name)
                }
            }
        case .unspecified, .UNRECOGNIZED: break
        }
        keep(hook)
        try write()
        return reply([hook], head, secret: tells)
    }

    /// Stops the hooks of an account that has ended.
    func end(of account: UInt64, now: UInt64) throws {
        for hook in try load(now: now).values where hook.account == account {
            keep(released(hook, as: .stopped, "The account has ended."))
        }
        try write()
    }

    // MARK: States

    private func resumed(_ hook: WireHook, _ wire: WireChangeHook, _ head: UInt64) throws -> WireHook {
        if hook.account > 0, try accounts.find(hook.account)?.account.isEnded != false {
            throw Refusal.endedAccount(hook.user)
        }
        var hook = released(hook, as: .active)
        hook.failingSince = 0
        hook.position = position(wire.fromNow ? head : wire.rev > 0 ? wire.rev : hook.position.rev)
        return hook
    }

    /// Begins another term of a hook, so that progress of the former one is refused. The holder stays: it may send until
    /// its lease ends, and no other service may begin before that.
    ///
    /// - Parameters:
    ///   - state: the hook's next state; nil for the same.
    ///   - reason: why it is in that state.
    func released(_ hook: WireHook, as state: WireHookState? = nil, _ reason: String = "") -> WireHook {
        var hook = hook
        (hook.term, hook.revision) = (hook.term &+ 1, nextRevision())
        if let state { (hook.state, hook.reason) = (state, reason) }
        return hook
    }

    func position(_ rev: UInt64) -> WireHookPosition {
        var position = present
        position.rev = rev
        return position
    }

    /// Adds a message to a hook's list, unless the list is full.
    func add(_ failure: WireHookFailure, to hook: inout WireHook) throws -> Bool {
        let bytes = UInt64(failure.body.count)
        guard hook.failed < Self.mostFailed, bytes <= Self.mostFailedBytes,
            hook.failedBytes <= Self.mostFailedBytes - bytes
        else { return false }
        var failure = failure
        failure.hook = hook.id
        try table.insert(failure)
        (hook.failed, hook.failedBytes) = (hook.failed + 1, hook.failedBytes + bytes)
        return true
    }

    private func reply(_ hooks: [WireHook], _ head: UInt64, secret: Bool = false) -> WireReply {
        var page = RowPage<WireHook>(limit: .max, mostBytes: Self.answerBytes)
        for hook in hooks {
            guard page.take(hook.shown(in: present.epoch, secret: secret), bytes: hook.bytes) else { break }
        }
        return .with { $0.hooks = .with { ($0.hooks, $0.more, $0.head) = (page.rows, page.hasMore, head) } }
    }
}
