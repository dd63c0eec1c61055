// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import StorageRules
@testable import StorageService

@Suite("Accounts and keys in an engine", .computing)
struct AccountKeyTests {
    @Test(
        "keys that ended are forgotten beyond a hundred of an account, and its list says so", arguments: Home.allCases)
    func forgotten(home: Home) async throws {
        let client = try EngineClient(home)
        let ann = try client.account("ann", .reader)
        let robot = try client.account("robot", .service)
        var seen: UInt64 = 0
        for _ in 0..<250 {
            for name in ["ann", "robot"] {
                let key = try CurveKeyPair.generate().publicKey
                try client.done(.addKey(.init(key: key, label: ""), account: name))
                try client.done(.endKey(key))
            }
            seen = max(seen, client.forgotten)
            client.now += 1_000
        }
        #expect(try await client.read { try $0.accounts.keys(of: ann) }.count == AccountRules.mostEnded + 1)
        // What of these ended must stay known for ever.
        #expect(try await client.read { try $0.accounts.keys(of: robot) }.count == 250)
        // Whoever has only what came before the newest of the forgotten begins anew.
        let rest = try await client.read { try $0.accounts.news(since: 0) }
        #expect(seen > 0 && seen < rest.revision && rest.keys.allSatisfy(\.isEnded))
        // Those that expire need no end.
        for _ in 0..<250 {
            let key = try CurveKeyPair.generate().publicKey
            try client.done(.addKey(.init(key: key, label: "", expires: client.now + 1), account: "ann"))
            client.now += 1_000
        }
        #expect(try await client.read { try $0.accounts.keys(of: ann) }.count == AccountRules.mostEnded + 1)
        client.now += 8 * 86_400_000
        try client.done(.addKey(.init(key: try CurveKeyPair.generate().publicKey, label: ""), account: "ann"))
        #expect(try await client.read { try $0.accounts.keys(of: ann) }.count == 1)
    }

    @Test("a sign-up makes a user's account with its password and key")
    func signUp() async throws {
        let stage = try HookStage(.memory)
        let bytes = try #require(CurveKey(bytes: [UInt8](repeating: 9, count: 32)))
        let key = AccountCommand.NewKey(key: bytes, label: "laptop", readsOnly: true)
        let command = Command.account(.signUp(name: "Zoë", key, hash: "hash"))
        let reply = try stage.send(command, by: .machine).account
        #expect(reply.account.role == .user && reply.account.hasPassword_p && reply.account.keys == 1)
        #expect(reply.key.readsOnly && reply.key.label == "laptop")
        #expect(try stage.refusal(.account(.signUp(name: "zoë", key, hash: "other")), by: .machine) == .invalid)
        let news = try await stage.client.read { tables in try tables.accounts.news(since: 0) }
        #expect(news.keys.map(\.readsOnly) == [true])
    }

    @Test("the table comes in pages, and what changes between them is not lost", arguments: Home.allCases)
    func pages(home: Home) async throws {
        let client = try EngineClient(home)
        var keys: [CurveKey] = []
        for number in 0..<8 {
            // The longest that a name may be.
            let name = "\(number)" + String(repeating: "\u{10ffff}", count: 63)
            _ = try client.account(name, .user)
            for _ in 0..<60 {
                keys.append(try CurveKeyPair.generate().publicKey)
                try client.done(.addKey(.init(key: keys[keys.count - 1], label: ""), account: name))
            }
        }
        var (since, gathered, pages): (UInt64, [CurveKey: AccountKey], Int) = (0, [:], 0)
        while true {
            let page = try await client.read { [since] in try $0.accounts.news(since: since, limit: 50) }
            #expect(page.keys.count + page.accounts.count <= 50)
            for key in page.keys { gathered[key.key] = key }
            (since, pages) = (page.revision, pages + 1)
            guard page.newest > page.revision else { break }
            // Of the first pages, and of the last.
            if pages < 5 { for place in [pages, 400 + pages] { try client.done(.endKey(keys[place])) } }
        }
        #expect(pages > 9)
        let all = try await client.read { try $0.accounts.news(since: 0) }
        #expect(Set(gathered.values) == Set(all.keys) && all.keys.count == 480 && all.keys.count(where: \.isEnded) == 8)
        // A row never takes more bytes than the limit of a page reckons with.
        let bytes = try all.page(epoch: [], isWhole: true).serializedBytes() as [UInt8]
        #expect(bytes.count < 300 * 488 && 300 * AccountNews.pageRows < WaymarkProtocol.pageBytes)
        let longest =
            try AccountNews(accounts: all.accounts).page(epoch: [], isWhole: true).serializedBytes() as [UInt8]
        #expect(longest.count < 300 * 8)
    }

    @Test("all rows of one revision are on one page", arguments: Home.allCases)
    func oneRevision(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try client.account("ann", .user)
        for _ in 0..<30 {
            try client.done(.addKey(.init(key: try CurveKeyPair.generate().publicKey, label: ""), account: "ann"))
        }
        try client.done(.change(account: "ann", role: nil, name: nil, nil, ends: true))
        let page = try await client.read { try $0.accounts.news(since: 0, limit: 10) }
        #expect(page.keys.count == 30 && page.revision < page.newest)
        let rest = try await client.read { try $0.accounts.news(since: page.revision, limit: 10) }
        #expect(rest.accounts.map(\.isEnded) == [true] && rest.revision == rest.newest)
    }

    @Test("a password set by any way ends the other sessions, and the invitation", arguments: Home.allCases)
    func passwords(home: Home) async throws {
        let client = try EngineClient(home)
        let ann = try client.account("ann", .user)
        func session() throws -> AccountCommand.NewKey {
            .init(
                key: try CurveKeyPair.generate().publicKey, kind: .session, label: "", expires: client.now + 1_000_000)
        }
        func invite() throws {
            try client.done(
                .change(
                    account: "ann", role: nil, name: nil, .init(digest: [7], expires: client.now + 1_000), ends: false))
        }
        func usable() async throws -> [[UInt8]] {
            let keys = try await client.read { try $0.accounts.keys(of: ann) }
            return keys.filter { $0.ended == 0 }.map { [UInt8]($0.key) }
        }
        func isInvited() async throws -> Bool {
            try await client.read { [now = client.now] in try $0.accounts.isValid(invitation: [7], for: ann, now: now) }
        }
        let (stolen, own, bearer) = (try session(), try session(), try CurveKeyPair.generate().publicKey)
        try client.done(.signIn(account: ann, stolen, .password(hash: "")))
        try client.done(.addKey(.init(key: bearer, kind: .bearer, label: ""), account: "ann"))
        try invite()
        try client.done(.signIn(account: ann, own, .code([7], hash: "new")))
        #expect(try await Set(usable()) == [own.key.bytes, bearer.bytes])
        #expect(try await !isInvited())
        try invite()
        #expect(try await isInvited())
        try client.done(.setPassword(account: ann, hash: "newer", verified: "new"))
        #expect(try await !isInvited())
        #expect(try await usable() == [bearer.bytes])
    }

    @Test("what is denied takes ten entries a minute, no answer, and pushes no deed out", arguments: Home.allCases)
    func denied(home: Home) async throws {
        let client = try EngineClient(home)
        let number = try client.account("eve", .reader)
        let eve = Account(number: number, name: "eve", role: .reader)
        let before = try client.integers("SELECT count(*) FROM answers")
        var requests: [WriteRequest] = []
        for _ in 0..<1_000 {
            var request = client.request(.add(try draft("no"), note: nil))
            (request.caller, request.deed) = (.account(eve), AuditDeed(deed: "add", origin: "test"))
            requests.append(request)
        }
        let replies = try client.apply(requests)
        #expect(replies.allSatisfy { $0.failure.code == ErrorCode.denied.rawValue })
        #expect(try client.integers("SELECT count(*) FROM answers") == before)
        let entries = try await client.read { try $0.auditPage(before: 0, limit: 100) }.entries
        #expect(entries.filter { $0.outcome == "denied" && $0.account == "eve" }.count == 10)
        // Another account's are not hidden by these.
        let other = Account(number: number + 1, name: "bob", role: .reader)
        requests[0].caller = .account(other)
        #expect(try client.apply([requests[0]])[0].failure.code == ErrorCode.denied.rawValue)
        let newest = try await client.read { try $0.auditPage(before: 0, limit: 1) }
        #expect(newest.entries.map(\.account) == ["bob"])
        // The first request was refused and not done; whoever may do it meanwhile is not held to that.
        var again = requests[1]
        again.caller = .account(Account(number: number, name: "eve", role: .user))
        #expect(try client.apply([again, requests[1]]).map(\.failure.code) == [0, 0])
        // As after 100,000 refusals: they push each other out alone.
        let moved = "UPDATE audit SET place = place + 99999 WHERE shelf = 3 AND place > 1 RETURNING place"
        #expect(try client.integers(moved).count == 10)
        requests[2].caller = .account(other)
        _ = try client.apply([requests[2]])
        let left = try await client.read { try $0.auditPage(before: 0, limit: 100) }.entries
        #expect(left.count(where: { $0.outcome == "denied" }) == 11)
        #expect(left.contains { $0.outcome == "ok" && $0.deed == "test" })
    }

    @Test("an account changes itself 200 times at once, and then once in half a minute")
    func pace() {
        var state = AccountServiceState(AccountBook())
        let waits = (0..<300).map { _ in state.beginChange(by: 1, now: 1_000) }
        #expect(waits.count(where: { $0 == nil }) == 200 && waits.last == 30_000)
        #expect(state.beginChange(by: 2, now: 1_000) == nil)
        #expect(state.beginChange(by: 1, now: 30_999) != nil)
        #expect(state.beginChange(by: 1, now: 31_001) == nil)
    }

    @Test("who may lack the end of a key begins anew, and who is reading all pages does not")
    func anew() {
        var state = AccountServiceState(AccountBook())
        let run = UUIDv7(high: 1, low: 1)
        state.enter(AccountNews(revision: 50, newest: 50, forgotten: 20), now: 0)
        func needsAll(_ since: UInt64, begun: UInt64 = 0, of asked: UUIDv7 = UUIDv7(high: 1, low: 1)) -> Bool {
            state.needsAll(
                .with { ($0.epoch, $0.since, $0.begun) = (Data(asked.bytes), since, begun) }, run: run)
        }
        #expect(needsAll(19) && !needsAll(20) && !needsAll(50) && needsAll(51))
        #expect(!needsAll(5, begun: 20) && needsAll(5, begun: 19))
        #expect(needsAll(50, of: UUIDv7(high: 1, low: 2)))
    }
}

extension EngineClient {
    /// By storage's own machine.
    @discardableResult
    func done(_ command: AccountCommand) throws -> WireReply {
        var write = request(.account(command))
        (write.caller, write.deed) = (.machine, AuditDeed(deed: "test", origin: ""))
        let applied = try engine.apply([write])
        forgotten = max(forgotten, applied.accounts?.forgotten ?? 0)
        let reply = try WireReply(serializedBytes: applied.replies[0])
        if case .failure = reply.result { throw Unexpected(reply: reply) }
        return reply
    }

    /// Makes an account.
    ///
    /// - Returns: its number.
    func account(_ name: String, _ role: Role) throws -> UInt64 {
        try done(.create(name: name, role, nil)).account.account.number
    }
}
