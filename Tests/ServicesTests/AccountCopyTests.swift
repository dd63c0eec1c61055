// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@Suite("A request about accounts that is sent again", .inTurn)
struct AccountCopyTests {
    @Test("gets the answer of the first copy, also where that one leaves nothing to be done")
    func copies() async throws {
        try await withSecuredPair { pair in
            let (keys, root) = try await pair.account("root", .admin)
            _ = try await pair.account("second", .admin)
            var sequence: UInt64 = 0
            let client = UUIDv7(high: .random(in: 1 ... .max), low: 7)
            func twice(_ request: WireRequest) async throws -> WireReply {
                sequence += 1
                let header = RequestHeader(key: RequestKey(client: client, sequence: sequence))
                var replies: [WireReply] = []
                for _ in 0..<2 {
                    replies.append(
                        try #require(
                            try await RawRequest.reply(
                                pair.endpoint, keys: keys, server: pair.serviceKeys.publicKey, request, header)))
                }
                #expect(replies[0] == replies[1])
                return replies[1]
            }
            let made = try await twice(.with { $0.createAccount = .with { ($0.name, $0.role) = ("carl", .user) } })
            #expect(made.account.account.name == "carl" && !made.account.code.isEmpty)
            let invited = try await twice(
                .with { $0.changeAccount = .with { ($0.account, $0.invite) = ("carl", true) } })
            #expect(invited.account.code != made.account.code && !invited.account.code.isEmpty)
            let joining = try await pair.client(
                try .generate(), at: pair.signIn, server: pair.serviceKeys.publicKey)
            _ = try await joining.signIn("carl", password: Array("secret of carl".utf8), code: invited.account.code)
            let renamed = try await twice(
                .with { $0.changeAccount = .with { ($0.account, $0.name) = ("carl", "carla") } })
            #expect(renamed.account.account.name == "carla")
            let password = try await twice(
                .with {
                    $0.setPassword = .with {
                        ($0.old, $0.new) = (Data(SecuredPair.password("root")), Data("a new secret".utf8))
                    }
                })
            #expect(password.result == .done(WireDone()))
            let ended = try await twice(.with { $0.changeAccount = .with { ($0.account, $0.end) = ("carla", true) } })
            #expect(ended.account.account.ended > 0)
            let stepped = try await twice(
                .with { $0.changeAccount = .with { ($0.account, $0.role) = ("root", .user) } })
            #expect(stepped.account.account.role == .user)
            // Another request is another one.
            #expect(await refusal { _ = try await root.changeAccount("root", role: .admin) } == "denied")
        }
    }

    @Test("a query service that starts reads more accounts than a page holds")
    func manyKeys() async throws {
        try await withSecuredPair { pair in
            let machine = try await pair.machine()
            let last = try CurveKeyPair.generate()
            for number in 0..<21 {
                _ = try await machine.createAccount("reader \(number)", .reader)
                for place in 0..<100 {
                    let key = number == 20 && place == 99 ? last.publicKey : try CurveKeyPair.generate().publicKey
                    try await machine.addKey(key, to: "reader \(number)")
                }
            }
            let pages = try await RawRequest.reply(
                pair.storageEndpoint, keys: pair.serviceKeys, server: pair.storageKeys.publicKey,
                .with { $0.followAccounts = WireFollowAccounts() },
                RequestHeader(key: RequestKey(client: UUIDv7(high: 3, low: 3), sequence: 1)))
            let page = try #require(pages?.accountPage)
            #expect(page.whole && page.revision < page.newest && page.keys.count <= 2_000)
            try await pair.withSecondQuery { endpoint in
                let reader = try await pair.client(last, at: endpoint)
                #expect(try await reader.whoAmI().name == "reader 20")
            }
        }
    }
}
