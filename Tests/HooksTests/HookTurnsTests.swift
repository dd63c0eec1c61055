// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing
import WaymarkProtocol

@testable import Hooks

/// What a service holds, and what it tells storage.
@Suite(.inShortTurn)
struct HookTurnsTests {
    private static func hook(_ id: UInt64 = 1, term: UInt64 = 1, revision: UInt64 = 1) -> WireHook {
        .with { ($0.id, $0.term, $0.revision, $0.failingSince) = (id, term, revision, 77) }
    }

    private static func answer(
        _ hooks: [WireHook], held: [UInt64] = [1], revision: UInt64 = 1, due: [WireHookFailure] = []
    ) -> WireHookTurns {
        .with { ($0.hooks, $0.held, $0.revision, $0.due, $0.all) = (hooks, held, revision, due, 5) }
    }

    /// Takes a turn with this answer.
    @discardableResult
    private static func turn(_ turns: inout HookTurns, _ answer: WireHookTurns, at now: Duration = .zero)
        -> HookTurns.News
    {
        let turn = turns.next()
        return turns.accept(answer, to: turn, begun: now)
    }

    private static func holding() -> HookTurns {
        var turns = HookTurns(service: Data(count: 16))
        #expect(turn(&turns, answer([hook()])).begun.map(\.id) == [1])
        return turns
    }

    @Test
    func aNoteIsToldUntilItIsAccepted() {
        var turns = Self.holding()
        #expect(turns.next().progress.isEmpty)
        turns.note(1, term: 1) { $0.delivered += 3 }
        let lost = turns.next()
        #expect(lost.progress.map(\.delivered) == [3])
        // What storage knows of the hook stays as it was.
        #expect(lost.progress.map(\.failingSince) == [77])
        turns.note(1, term: 1) { $0.delivered += 2 }
        let told = turns.next()
        #expect(told.progress.map(\.delivered) == [5] && told.seen == 1)
        turns.note(1, term: 1) { $0.gaveUp = [.with { $0.rev = 9 }] }
        #expect(!turns.isSettled(1))
        _ = turns.accept(Self.answer([]), to: told, begun: .zero)
        let rest = turns.next()
        #expect(rest.progress.map(\.delivered) == [0] && rest.progress.first?.gaveUp.map(\.rev) == [9])
        #expect(!turns.isSettled(1))
        _ = turns.accept(Self.answer([]), to: rest, begun: .zero)
        #expect(turns.isSettled(1) && turns.next().progress.isEmpty)
    }

    /// As after older files of the database were put back: the epoch and the term are the same.
    @Test
    func aRefusedPositionIsAnotherBeginning() {
        var turns = Self.holding()
        turns.note(1, term: 1) { $0.position.rev = 9 }
        var refusal = Self.answer([])
        refusal.refused = [1]
        #expect(turns.accept(refusal, to: turns.next(), begun: .zero).begun.isEmpty)
        #expect(turns.next().seen == 0)
        let news = Self.turn(&turns, Self.answer([Self.hook()]))
        #expect(news.ended == [1] && news.begun.map(\.id) == [1])
        #expect(turns.next().progress.isEmpty)
    }

    /// A turn has to fit into a request, whatever the receivers answer.
    @Test
    func aTurnIsBounded() throws {
        var turns = HookTurns(service: Data(count: 16))
        let ids = Array(UInt64(1)...10_000)
        Self.turn(&turns, Self.answer(ids.map { Self.hook($0) }, held: ids))
        for id in ids { turns.note(id, term: 1) { $0.error = String(repeating: "é", count: 200) } }
        let turn = turns.next()
        #expect(try turn.serializedData().count < WaymarkProtocol.messageBytes && turn.progress.count > 1_000)
    }

    @Test
    func anotherTermIsAnotherBeginning() {
        var turns = Self.holding()
        turns.note(1, term: 1) { $0.delivered += 3 }
        let turn = turns.next()
        var answer = Self.answer([Self.hook(term: 3, revision: 2)], revision: 2)
        answer.refused = [1]
        let news = turns.accept(answer, to: turn, begun: .zero)
        #expect(news.ended == [1] && news.begun.map(\.term) == [3])
        #expect(turns.next().progress.isEmpty)
        turns.note(1, term: 1) { $0.delivered += 1 }
        #expect(turns.next().progress.isEmpty)
        #expect(turns.hook(1, term: 1) == nil && turns.hook(1, term: 3) != nil)
    }

    @Test
    func aChangedRecordKeepsItsTerm() {
        var turns = Self.holding()
        var rotated = Self.hook(revision: 2)
        rotated.secret = Data([1, 2])
        let news = Self.turn(&turns, Self.answer([rotated], revision: 2))
        #expect(news.ended.isEmpty && news.begun.isEmpty)
        #expect(turns.hook(1, term: 1)?.secret == Data([1, 2]))
    }

    @Test
    func aHookThatIsNotHeldEnds() {
        var turns = Self.holding()
        #expect(Self.turn(&turns, Self.answer([], held: [])).ended == [1])
        #expect(turns.hook(1) == nil && turns.isSettled(1))
    }

    @Test("a service may send for four seconds after the beginning of an accepted turn")
    func lease() {
        var turns = HookTurns(service: Data(count: 16))
        #expect(!turns.maySend(at: .zero))
        Self.turn(&turns, Self.answer([Self.hook()]), at: .seconds(10))
        #expect(turns.maySend(at: .milliseconds(13_999)) && !turns.maySend(at: .seconds(14)))
    }

    @Test
    func aMessageOutsideTheOrderIsSentOnce() {
        var turns = Self.holding()
        let due = WireHookFailure.with { ($0.hook, $0.number, $0.rev) = (1, 8, 4) }
        #expect(Self.turn(&turns, Self.answer([], due: [due])).due.map(\.number) == [8])
        #expect(Self.turn(&turns, Self.answer([], due: [due])).due.isEmpty)
        turns.note(1, term: 1) { $0.redelivered.append(8) }
        #expect(Self.turn(&turns, Self.answer([])).errands.isEmpty)
        // It is asked for again.
        #expect(Self.turn(&turns, Self.answer([], due: [due])).due.map(\.number) == [8])
        // The result is lost together with the term, so it is sent again.
        let next = Self.answer([Self.hook(term: 2, revision: 2)], revision: 2, due: [due])
        #expect(Self.turn(&turns, next).due.map(\.number) == [8])
    }

    @Test("records that come in several turns are not asked for again; one that is missing is")
    func pages() {
        var turns = HookTurns(service: Data(count: 16))
        Self.turn(&turns, Self.answer([Self.hook(1, revision: 5)], held: [1, 2], revision: 5))
        #expect(turns.next().seen == 5)
        Self.turn(&turns, Self.answer([Self.hook(2, revision: 6)], held: [1, 2], revision: 6))
        #expect(turns.next().seen == 6 && turns.count == 2)
        Self.turn(&turns, Self.answer([], held: [1, 2, 3], revision: 6))
        #expect(turns.next().seen == 0)
    }

    @Test
    func aTurnIsNoLargerThanARequestMayBe() {
        var turns = HookTurns(service: Data(count: 16))
        let ids = Array(1...8 as ClosedRange<UInt64>)
        Self.turn(&turns, Self.answer(ids.map { Self.hook($0) }, held: ids))
        for id in ids { turns.note(id, term: 1) { $0.gaveUp = [.with { $0.body = Data(count: 600_000) }] } }
        var told = 0
        while case let turn = turns.next(), !turn.progress.isEmpty {
            #expect(turn.progress.count <= 2)
            told += turn.progress.count
            _ = turns.accept(Self.answer([], held: ids), to: turn, begun: .zero)
        }
        #expect(told == 8)
    }
}
