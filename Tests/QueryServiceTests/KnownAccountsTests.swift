// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@testable import QueryService

@Suite("Keys that are not in the account book", .inShortTurn)
struct KnownAccountsTests {
    private static func key(_ number: Int) -> CurveKey? {
        CurveKey(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) })
    }

    @Test("a key is a stranger's once the accounts were read after it came, and nothing is known of it before")
    func settles() async throws {
        let (accounts, key) = (KnownAccounts(), try #require(Self.key(1)))
        accounts.pendingKeys.haveRead(asked: accounts.pendingKeys.ask())
        #expect(await !accounts.settle(key))
        accounts.pendingKeys.haveRead(asked: accounts.pendingKeys.ask())
        #expect(await accounts.settle(key))
    }

    @Test("beyond the keys that are remembered nothing is known of a key, although it may not connect")
    func many() async throws {
        let accounts = KnownAccounts()
        accounts.pendingKeys.haveRead(asked: accounts.pendingKeys.ask())
        for number in 1...1_000 { #expect(!accounts.pendingKeys.isStranger(try #require(Self.key(number)))) }
        let further = try #require(Self.key(1_001))
        #expect(accounts.pendingKeys.isStranger(further))
        #expect(await !accounts.settle(further))
    }
}
