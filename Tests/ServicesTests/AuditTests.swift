// SPDX-License-Identifier: Apache-2.0

import Accounts
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("The audit trail", .inTurn)
struct AuditTests {
    @Test("what a role refuses stands in it, ten a minute, and does not hide who guesses passwords")
    func refusals() async throws {
        try await withSecuredPair { pair in
            let (_, bob) = try await pair.account("bob", .user)
            let begun = ContinuousClock.now
            #expect(await refusal { _ = try await bob.accounts() } == "denied")
            #expect(await refusal { _ = try await bob.createAccount("eve", .admin) } == "denied")
            #expect(await refusal { _ = try await bob.compact(below: 0) } == "denied")
            for _ in 0..<20 { #expect(await refusal { _ = try await bob.audit() } == "denied") }
            let stranger = try await pair.client(nil, at: pair.signIn, server: pair.serviceKeys.publicKey)
            #expect(await refusal { _ = try await stranger.signIn("bob", password: [1, 2, 3]) } == "wrong_password")

            let machine = try await pair.machine()
            var entries: [AuditRecord] = []
            try await until {
                entries = try await machine.audit(limit: 1_000)
                return entries.contains { $0.deed == "compact" }
            }
            let denied = entries.filter { $0.outcome == "denied" }
            // A busy machine may need more than a minute for the twenty-three.
            let minutes = Int((ContinuousClock.now - begun) / .seconds(60))
            #expect(denied.count >= 10 && denied.count <= 10 * (1 + minutes))
            #expect(denied.allSatisfy { $0.account == "bob" && $0.origin == "127.0.0.1" })
            #expect(
                Set(denied.map(\.deed)).isSuperset(of: ["list_accounts", "create_account", "compact", "read_audit"]))
            #expect(entries.contains { $0.outcome == "wrong_password" && $0.subject == "bob" })
        }
    }

    @Test("the ends of keys and the beginnings of pages are bounded")
    func extremes() async throws {
        try await withSecuredPair { pair in
            let (_, ann) = try await pair.account("ann", .admin)
            for end in [UnixTime.latest + 1, 1 << 62, 1 << 63, .max] {
                #expect(
                    await refusal {
                        try await ann.addKey(try CurveKeyPair.generate().publicKey, label: "", expires: end)
                    } == "invalid")
            }
            try await ann.addKey(try CurveKeyPair.generate().publicKey, label: "", expires: UnixTime.latest)
            #expect(try await ann.whoAmI().keys == 2)
            // As signed integers these would come before all others.
            #expect(try await ann.audit(before: .max).count > 2)
            let request = WireRequest.with { $0.listAccounts.after = .max }
            #expect(try await ann.send(request).1.accounts.accounts.isEmpty)
        }
    }

    @Test("whoami tells how many keys there are")
    func whoAmI() async throws {
        try await withSecuredPair { pair in
            let (_, ann) = try await pair.account("ann", .user)
            #expect(try await ann.whoAmI().keys == 1)
            try await ann.addKey(try CurveKeyPair.generate().publicKey, label: "another")
            #expect(try await ann.whoAmI().keys == 2)
            let (_, bob) = try await pair.account("bob", .reader)
            #expect(try await bob.whoAmI().keys == 1)
            #expect(try await bob.whoAmI().name == "bob")
        }
    }
}
