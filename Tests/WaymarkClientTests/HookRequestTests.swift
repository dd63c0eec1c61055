// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestServices
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import WaymarkClient

@Suite("Requests about fences and hooks", .inTurn)
struct HookRequestTests {
    private static let filter = FeedFilter(kinds: ["boat"], users: ["", "ann"])
    private static let hook = WireHook.with {
        ($0.id, $0.name, $0.state, $0.filter) = (3, "in", .paused, Data(filter.wire.encoded))
        ($0.position.epoch, $0.position.run, $0.position.rev) = (
            Data(repeating: 1, count: 16), Data(repeating: 2, count: 16), 5
        )
        $0.secret = Data(repeating: 0, count: 24)
    }

    /// Runs `body` with a client of a service that gives this answer to everything.
    private static func withAnswer(
        _ reply: WireReply, _ body: (WaymarkClient, Locked<[WireRequest.OneOf_Command]>) async throws -> Void
    ) async throws {
        let (context, folder) = (try Context(), try EndpointFolder())
        let asked = Locked<[WireRequest.OneOf_Command]>([])
        let service = StubService.reading { command in
            asked.withLock { $0.append(command) }
            return .answer(reply)
        }
        let endpoint = try await service.start(at: folder.endpoint, context)
        let client = try await WaymarkClient(
            .init(endpoint: endpoint, user: "ann", timeout: .seconds(60)), context: context)
        do { try await body(client, asked) } catch { Issue.record(error) }
        await client.close()
        await service.stop()
        context.terminate()
    }

    private static func refusal(_ body: () async throws -> Void) async -> ErrorCode? {
        do { try await body() } catch ClientError.refused(let error) { return error.code } catch {}
        return nil
    }

    @Test("a fence is read with its filter; an unknown one, and one without a name, is not found")
    func fences() async throws {
        let fence = WireFence.with {
            ($0.id, $0.name, $0.account, $0.filter, $0.created) = (9, "crew", 4, Data(Self.filter.wire.encoded), 1)
        }
        try await Self.withAnswer(.with { ($0.fences.fences, $0.fences.more) = ([fence], true) }) { client, asked in
            let found = try await client.fences.find("crew")
            #expect(found.filter == Self.filter && found.id == 9 && found.account == 4 && found.created == 1)
            #expect(await Self.refusal { _ = try await client.fences.find("") } == .notFound)
            let page = try await client.fences.page(after: "a", limit: 1)
            #expect(page.fences == [found] && page.hasMore)
            #expect(try await client.fences.add("crew", Self.filter) == found)
            let added = WireAddFence.with { ($0.name, $0.filter) = ("crew", fence.filter) }
            #expect(asked.withLock { $0.last } == .addFence(added))
        }
        try await Self.withAnswer(.with { $0.fences = WireFences() }) { client, _ in
            #expect(await Self.refusal { _ = try await client.fences.find("crew") } == .notFound)
        }
        let foreign = WireFence.with { $0.filter = Data([0xff]) }
        try await Self.withAnswer(.with { $0.fences.fences = [foreign] }) { client, _ in
            await #expect(throws: ClientError.self) { try await client.fences.page() }
        }
    }

    @Test("a hook is read with its place and its secret as text; an unknown state is no hook")
    func hooks() async throws {
        try await Self.withAnswer(.with { ($0.hooks.hooks, $0.hooks.head) = ([Self.hook], 8) }) { client, _ in
            let (hook, head) = try await client.hooks.find("in")
            #expect(hook.state == .paused && hook.filter == Self.filter && head == 8)
            #expect(hook.secret == "whsec_" + String(repeating: "A", count: 32))
            #expect(hook.position?.rev == 5 && hook.position?.run != nil)
            #expect(await Self.refusal { _ = try await client.hooks.find("") } == .notFound)
        }
        var later = Self.hook
        later.state = .UNRECOGNIZED(9)
        try await Self.withAnswer(.with { [later] in $0.hooks.hooks = [later] }) { client, _ in
            await #expect(throws: ClientError.self) { try await client.hooks.page() }
        }
    }

    @Test("a hook's beginning, its secret and its changes are told as the protocol has them")
    func changes() async throws {
        try await Self.withAnswer(.with { $0.hooks.hooks = [Self.hook] }) { client, asked in
            func last() -> WireRequest.OneOf_Command? { asked.withLock { $0.last } }
            var new = NewHook(name: "in", url: "https://example.com/")
            (new.start, new.secret) = (.oldest, "whsec_" + String(repeating: "A", count: 32))
            _ = try await client.hooks.add(new)
            let wanted = WireAddHook.with {
                ($0.name, $0.url, $0.batch, $0.start) = ("in", "https://example.com/", 1, true)
                $0.secret = Data(repeating: 0, count: 24)
            }
            #expect(last() == .addHook(wanted))
            for secret in ["", "whsec_", "whsec_AAAA", String(repeating: "A", count: 32), "whsec_!"] {
                new.secret = secret
                let short = new
                let refused = await Self.refusal { _ = try await client.hooks.add(short) }
                #expect(refused == .invalid, "\(secret)")
            }
            let changes: [(HookChange, String?, WireChangeHook)] = [
                (.pause, nil, .with { ($0.act, $0.all) = (.pause, true) }),
                (.resume(nil), "in", .with { ($0.act, $0.name) = (.resume, "in") }),
                (.resume(.now), nil, .with { ($0.act, $0.all, $0.fromNow) = (.resume, true, true) }),
                (.resume(.after(7)), "in", .with { ($0.act, $0.name, $0.rev) = (.resume, "in", 7) }),
                (.rotate, "in", .with { ($0.act, $0.name) = (.rotate, "in") }),
                (.test, "in", .with { ($0.act, $0.name) = (.test, "in") }),
                (.redeliver(4), "in", .with { ($0.act, $0.name, $0.rev) = (.redeliver, "in", 4) }),
            ]
            for (change, name, wire) in changes {
                #expect(try await client.hooks.change(name, change).map(\.name) == ["in"])
                #expect(last() == .changeHook(wire))
            }
            #expect(await Self.refusal { try await client.hooks.change("in", .resume(.oldest)) } == .invalid)
        }
        #expect(
            HookStart(text: "now") == .now && HookStart(text: "start") == .oldest && HookStart(text: "7") == .after(7))
        for text in ["", "+7", "-1", "soon", "18446744073709551616"] { #expect(HookStart(text: text) == nil) }
    }

    @Test("a turn and the list of failures come back as they were sent")
    func turns() async throws {
        let turns = WireHookTurns.with { ($0.held, $0.all, $0.revision) = ([3], 5, 6) }
        try await Self.withAnswer(.with { $0.hookTurns = turns }) { client, asked in
            let turn = WireHookTurn.with { ($0.service, $0.seen) = (Data(repeating: 3, count: 16), 6) }
            let answer = try await client.hooks.turn(turn)
            #expect(answer == turns)
            #expect(asked.withLock { $0.last } == .hookTurn(turn))
        }
        let failure = WireHookFailure.with { ($0.number, $0.rev, $0.body, $0.due) = (2, 7, Data("{}".utf8), true) }
        try await Self.withAnswer(.with { $0.hookFailures.failures = [failure] }) { client, asked in
            let found = try await client.hooks.failures(of: "in", after: 1, limit: 2)
            #expect(found.failures.map(\.number) == [2] && found.failures[0].body == Array("{}".utf8) && !found.hasMore)
            let wanted = WireListHookFailures.with { ($0.name, $0.after, $0.limit) = ("in", 1, 2) }
            #expect(asked.withLock { $0.last } == .hookFailures(wanted))
        }
    }
}
