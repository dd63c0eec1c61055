// SPDX-License-Identifier: Apache-2.0

import Accounts
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@Suite("The book of accounts", .computing)
struct AccountBookTests {
    private static func code(_ body: () throws -> Account) -> ErrorCode? {
        do { _ = try body() } catch { return (error as? ServiceError)?.code }
        return nil
    }

    @Test("a key leads to its account until it ends, expires, or the account ends")
    func keys() throws {
        let book = AccountBook()
        let pairs = try (0..<3).map { _ in try CurveKeyPair.generate().publicKey }
        #expect(!book.isLoaded)
        #expect(Self.code { try book.account(of: pairs[0], at: 0) } == .keyEnded)
        let ann = Account(number: 1, name: "ann", role: .user)
        book.enter(
            [ann, Account(number: 2, name: "old", role: .admin, isEnded: true)],
            [
                AccountKey(key: pairs[0], account: 1), AccountKey(key: pairs[1], account: 1, expires: 100),
                AccountKey(key: pairs[2], account: 2),
            ], revision: 5, now: 0)
        #expect(book.isLoaded)
        #expect(book.revision == 5)
        #expect(try book.account(of: pairs[0], at: 1_000) == ann)
        #expect(try book.account(of: pairs[1], at: 99) == ann)
        #expect(Self.code { try book.account(of: pairs[1], at: 100) } == .keyEnded)
        #expect(Self.code { try book.account(of: pairs[2], at: 0) } == .accountEnded)
        #expect(Self.code { try book.account(2) } == .accountEnded)
        #expect(Self.code { try book.account(9) } == .accountEnded)
        book.enter([], [AccountKey(key: pairs[0], account: 1, isEnded: true)], revision: 6, now: 0)
        #expect(Self.code { try book.account(of: pairs[0], at: 0) } == .keyEnded)
        // Another history: what is not in it is forgotten.
        book.enter([ann], [], revision: 1, isWhole: true, now: 0)
        #expect(Self.code { try book.account(of: pairs[1], at: 0) } == .keyEnded)
        #expect(try book.account(1) == ann)
    }

    @Test("a key that only reads has no other permission, whatever its account may do")
    func readsOnly() throws {
        let book = AccountBook()
        let key = try CurveKeyPair.generate().publicKey
        let root = Account(number: 1, name: "root", role: .admin)
        book.enter([root], [AccountKey(key: key, account: 1, readsOnly: true)], revision: 1, now: 0)
        for permission in Permission.allCases where permission != .read && permission != .follow {
            #expect(Self.code { try book.account(of: key, at: 0, needing: permission) } == .denied)
            #expect(book.account(of: key, at: 0, for: permission) == nil)
        }
        for permission in [Permission.read, .follow] { #expect(book.account(of: key, at: 0, for: permission) == root) }
    }

    @Test("keys that nobody can use any more are dropped, so that they do not gather")
    func dropped() throws {
        let book = AccountBook()
        let day: UInt64 = 86_400_000
        for revision in UInt64(1)...30_000 {
            let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: revision) { Array($0) } }
            let key = try #require(CurveKey(bytes: bytes))
            let made = AccountKey(
                key: key, account: 1, expires: revision % 3 == 1 ? day : 0, isEnded: revision % 3 == 2)
            book.enter([], [made], revision: revision, now: 3 * day)
        }
        #expect(book.count <= 20_000)
        // Those that may be used are all there.
        #expect(book.count >= 10_000)
    }
}
