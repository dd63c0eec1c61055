// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import TestTurns
import Testing
import WaymarkProtocol

@Suite("Who may do what", .computing)
struct AccessRuleTests {
    /// The table of `Accounts.md`, in the order of ``Role/allCases``. `o`: what is one's own; `+`: everything; `-`: nothing.
    private static let table: [(Permission, String)] = [
        (.read, "+++++"), (.follow, "+++++"), (.add, "-+++-"), (.edit, "-o++-"), (.move, "-o++-"), (.remove, "-o++-"),
        (.addNote, "-+++-"), (.editNote, "-o++-"), (.removeNote, "-o++-"), (.ingest, "--+++"), (.ownAccount, "++++-"),
        (.manageAccounts, "---+-"), (.upkeep, "---+-"), (.followAccounts, "----+"),
        (.fence, "-o++-"), (.hook, "-oo+-"), (.runHooks, "----+"), (.share, "-o++-"),
        (.useGrants, "----+"), (.addPoints, "-++++"), (.listAccounts, "--++-"), (.actForAnother, "----+"),
    ]

    @Test("every cell of role, operation and owner is as the table says")
    func cells() throws {
        #expect(Self.table.map(\.0) == Permission.allCases)
        for (operation, row) in Self.table {
            for (role, sign) in zip(Role.allCases, row) {
                for ownership in Ownership.allCases {
                    let expected = sign == "+" || sign == "o" && ownership == .own
                    #expect(
                        AccessRule.allows(role, operation, on: ownership) == expected,
                        "\(role.name), \(operation.rawValue), \(ownership.rawValue)")
                }
            }
        }
    }

    @Test("the article has the same table")
    func article() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/WaymarkProtocol/WaymarkProtocol.docc/Accounts.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let words: [Character: String] = ["+": "yes", "o": "own", "-": "no"]
        for (operation, row) in Self.table {
            let cells = row.compactMap { words[$0] }.joined(separator: " | ")
            #expect(text.contains("| \(operation.rawValue) | \(cells) |"), "\(operation.rawValue) | \(cells)")
        }
    }

    @Test("no kind of request is without a rule, and what changes something is more than reading")
    func kinds() {
        for kind in RequestKind.allCases where kind.isWrite || kind == .compact || kind == .beginBackup {
            #expect(kind.row.permission != .read, "\(kind.name)")
        }
        #expect(RequestKind.readAudit.row.permission == .manageAccounts)
        #expect(RequestKind.followAccounts.row.permission == .followAccounts)
    }

    @Test("a thing of nobody is nobody's, also for who has no account")
    func ownership() {
        #expect(Ownership(owner: 0, account: 0) == .nobodys)
        #expect(Ownership(owner: 0, account: 3) == .nobodys)
        #expect(Ownership(owner: 3, account: 3) == .own)
        #expect(Ownership(owner: 4, account: 3) == .others)
    }
}
