// SPDX-License-Identifier: Apache-2.0

import Accounts
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import StorageRules

@Suite("What was checked before a commit is checked in it again", .inShortTurn)
struct AccountProofTests {
    /// The account that a first password belongs to.
    private static func account(_ client: EngineClient, _ role: Role = .user) throws -> Account {
        let invitation = AccountCommand.Invitation(digest: [7], expires: client.now + 1_000)
        let reply = try client.send(.account(.create(name: "ann", role, invitation)))
        let number = reply.account.account.number
        let joined = try client.send(
            .account(.signIn(account: number, try key(), .code([7], hash: "first"))))
        #expect(joined.account.key.key.count == 32)
        return Account(number: number, name: "ann", role: role, isEnded: false)
    }

    private static func key() throws -> AccountCommand.NewKey {
        AccountCommand.NewKey(key: try CurveKeyPair.generate().publicKey, label: "")
    }

    @Test("a password that is not the account's any more neither signs in nor sets another", arguments: Home.allCases)
    func oldPassword(home: Home) throws {
        let client = try EngineClient(home)
        let ann = try Self.account(client)
        func signIn(_ hash: String) throws -> WireReply {
            try client.send(.account(.signIn(account: ann.number, try Self.key(), .password(hash: hash))))
        }
        func change(_ hash: String, verified: String) throws -> WireReply {
            try client.send(.account(.setPassword(account: ann.number, hash: hash, verified: verified)))
        }
        let wrong = ErrorCode.wrongPassword.rawValue
        #expect(try signIn("first").account.account.keys == 2)
        #expect(try change("second", verified: "first").done == WireDone())
        #expect(try signIn("first").failure.code == wrong)
        #expect(try change("third", verified: "first").failure.code == wrong)
        #expect(try signIn("second").account.account.keys == 3)
    }

    @Test("the role that counts is the one at the commit", arguments: Home.allCases)
    func oldRole(home: Home) throws {
        let client = try EngineClient(home)
        let ann = try Self.account(client, .admin)
        try client.send(.account(.create(name: "root", .admin, nil)))
        func request(_ command: AccountCommand, by caller: Caller) -> WriteRequest {
            var request = client.request(.account(command))
            request.caller = caller
            return request
        }
        // Ann asked while she was still an administrator.
        let replies = try client.apply([
            request(.change(account: "ann", role: .user, name: nil, nil, ends: false), by: .machine),
            request(.create(name: "eve", .admin, nil), by: .account(ann)),
            request(.change(account: "ann", role: nil, name: nil, nil, ends: true), by: .machine),
            request(.addKey(try Self.key(), account: ""), by: .account(ann)),
        ])
        #expect(replies[1].failure.code == ErrorCode.denied.rawValue)
        #expect(replies[3].failure.code == ErrorCode.accountEnded.rawValue)
    }
}
