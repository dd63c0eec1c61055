// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import TestTurns
import Testing
import WaymarkProtocol

@testable import QueryService

@Suite("The pages of accounts, put together", .computing)
struct FollowedAccountsTests {
    private static func page(
        _ run: UInt8, _ revision: UInt64, of newest: UInt64, whole: Bool = false, _ names: String...
    ) -> WireAccountPage {
        .with {
            ($0.epoch, $0.revision, $0.newest, $0.whole) = (Data([run]), revision, newest, whole)
            $0.accounts = names.map { name in .with { ($0.number, $0.name, $0.role) = (1, name, .user) } }
        }
    }

    @Test("all pages, asked for one after the other, and without waiting once there is one")
    func pages() {
        var pages = FollowedAccounts(question: .with { $0.waitMs = 900 })
        #expect(pages.question.waitMs == 900 && pages.question.begun == 0)
        var added = [pages.add(Self.page(1, 10, of: 25, whole: true, "ann"))]
        #expect(pages.isUnfinished)
        #expect(pages.question == .with { ($0.epoch, $0.since, $0.begun) = (Data([1]), 10, 25) })
        added.append(pages.add(Self.page(1, 20, of: 27, "bob")))
        #expect(pages.isUnfinished && pages.question.begun == 25)
        added.append(pages.add(Self.page(1, 27, of: 27, "cat")))
        #expect(added == [true, true, true] && !pages.isUnfinished)
        #expect(pages.isWhole && pages.accounts.map(\.name) == ["ann", "bob", "cat"] && pages.question.since == 27)
    }

    @Test("storage that begins anew between two pages, because it was started or has forgotten a key that ended")
    func anew() {
        for run in [UInt8(1), 2] {
            var pages = FollowedAccounts(question: .with { ($0.epoch, $0.since) = (Data([1]), 5) })
            var added = [pages.add(Self.page(1, 10, of: 25, "ann"))]
            added.append(pages.add(Self.page(run, 3, of: 9, whole: true, "bob")))
            #expect(pages.question.begun == 9)
            added.append(pages.add(Self.page(run, 9, of: 9, "cat")))
            #expect(added == [true, true, true] && !pages.isUnfinished)
            #expect(
                pages.isWhole && pages.accounts.map(\.name) == ["bob", "cat"]
                    && pages.question.epoch == Data([run]))
        }
    }

    @Test("a page that leads nowhere is refused, so that nobody asks for ever")
    func nowhere() {
        var pages = FollowedAccounts(question: .with { ($0.epoch, $0.since) = (Data([1]), 5) })
        let added = [
            Self.page(1, 5, of: 6), Self.page(1, 4, of: 4), Self.page(2, 6, of: 6), Self.page(1, 5, of: 5),
        ].map { pages.add($0) }
        #expect(added == [false, false, false, true])
        #expect(!pages.isUnfinished && !pages.isWhole)
    }
}
