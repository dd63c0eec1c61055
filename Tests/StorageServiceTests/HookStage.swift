// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import SwiftProtobuf
import Synchronization
import WaymarkProtocol

@testable import StorageRules

/// An engine whose machine's clock the test moves, and services that take turns there.
final class HookStage {
    private final class Clock: Sendable { let now = Mutex(Duration.seconds(100)) }

    let client: EngineClient
    private let clock: Clock

    init(_ home: Home) throws {
        let clock = Clock()
        self.clock = clock
        client = try EngineClient(home, uptime: { clock.now.withLock { $0 } })
    }

    func wait(_ time: Duration) { clock.now.withLock { $0 += time } }

    static func account(_ number: UInt64, _ role: Role) -> Caller {
        .account(Account(number: number, name: "n\(number)", role: role, isEnded: false))
    }

    func send(_ command: Command, by caller: Caller = .anyone(user: "ann")) throws -> WireReply {
        var request = client.request(command)
        request.caller = caller
        return try client.apply([request])[0]
    }

    func refusal(_ command: Command, by caller: Caller = .anyone(user: "ann")) throws -> ErrorCode? {
        ErrorCode(rawValue: try send(command, by: caller).failure.code)
    }

    // MARK: People

    static func draft(_ name: String, _ change: (inout WireAddHook) -> Void = { _ in }) throws -> Command {
        var add = WireAddHook.with { ($0.name, $0.url) = (name, "https://example.org/hook") }
        change(&add)
        return .addHook(try HookDraft(add))
    }

    @discardableResult
    func add(_ name: String, by caller: Caller = .anyone(user: "ann")) throws -> WireHook {
        let reply = try send(Self.draft(name), by: caller)
        guard reply.hooks.hooks.count == 1 else { throw Unexpected(reply: reply) }
        return reply.hooks.hooks[0]
    }

    static func change(
        _ act: WireChangeHook.Act, _ name: String, _ change: (inout WireChangeHook) -> Void = { _ in }
    ) throws -> Command {
        var wire = WireChangeHook.with { ($0.act, $0.name) = (act, name) }
        change(&wire)
        return .changeHook(try HookChange(wire))
    }

    @discardableResult
    func change(
        _ act: WireChangeHook.Act, _ name: String, _ change: (inout WireChangeHook) -> Void = { _ in }
    ) throws -> [WireHook] {
        let reply = try send(Self.change(act, name, change))
        guard case .hooks(let list)? = reply.result else { throw Unexpected(reply: reply) }
        return list.hooks
    }

    func hook(_ name: String) async throws -> WireHook? { try await list(0, name: name).first }

    func list(_ account: UInt64, name: String = "") async throws -> [WireHook] {
        try await client.engine.reader.hooks(.with { $0.name = name }, by: account, limit: 1_000).hooks
    }

    func failures(_ name: String) async throws -> [WireHookFailure] {
        let page = try await client.engine.reader.hookFailures(.with { $0.name = name }, by: 0, limit: 1_000)
        return page?.failures ?? []
    }

    // MARK: Services

    @discardableResult
    func turn(
        _ service: UInt8, _ progress: [WireHookProgress] = [], seen: UInt64 = 0, leaves: Bool = false
    ) throws -> WireHookTurns {
        var turn = WireHookTurn()
        turn.service = Data(repeating: service, count: 16)
        (turn.progress, turn.seen, turn.leaves) = (progress, seen, leaves)
        let reply = try send(.hookTurn(turn), by: Self.account(99, .service))
        guard case .hookTurns(let turns)? = reply.result else { throw Unexpected(reply: reply) }
        return turns
    }

    func progress(
        _ hook: WireHook, _ rev: UInt64, _ change: (inout WireHookProgress) -> Void = { _ in }
    ) -> WireHookProgress {
        var progress = WireHookProgress()
        (progress.hook, progress.term) = (hook.id, hook.term)
        progress.position.epoch = client.engine.position.epoch.wire
        progress.position.rev = rev
        change(&progress)
        return progress
    }
}

extension Asker {
    /// Storage's own machine, which sees all.
    static let machine = Asker(account: 0, user: "")
}
