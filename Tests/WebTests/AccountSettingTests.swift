// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Logging
import QueryService
import StorageService
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import ZeroMQ

@testable import Web

/// Storage and query, of which each requires accounts or not.
struct AccountSetting: Sendable, CustomTestStringConvertible {
    let storage: Bool
    let query: Bool
    let isTCP: Bool

    static let all = [false, true].flatMap { storage in
        [false, true].flatMap { query in
            [false, true].map { AccountSetting(storage: storage, query: query, isTCP: $0) }
        }
    }

    var testDescription: String {
        "storage \(storage ? "required" : "none"), query \(query ? "required" : "none"), \(isTCP ? "tcp" : "ipc")"
    }
}

@Suite("Services that do not agree about accounts", .inTurn)
struct AccountSettingTests {
    /// What a stranger gets: by the bus and by HTTP, reading, adding, and making an administrator.
    struct Outcome: Equatable {
        var isReady: Bool
        var words: String?
        /// Whether each was done.
        var bus: [Bool]
        var web: [Int]
    }

    @Test("a stranger may do what both allow, and nothing where one requires accounts", arguments: AccountSetting.all)
    func table(_ setting: AccountSetting) async throws {
        let expected =
            switch (setting.storage, setting.query) {
            case (false, false): Outcome(isReady: true, bus: [true, true, false], web: [200, 201])
            case (true, true): Outcome(isReady: true, bus: [false, false, false], web: [401, 401])
            case (true, false):
                Outcome(
                    isReady: false, words: "requires accounts, and this service does not: set accounts: required",
                    bus: [false, false, false], web: [503, 503])
            case (false, true):
                Outcome(
                    isReady: false, words: "does not: set accounts: required there too",
                    bus: [false, false, false], web: [401, 401])
            }
        let patience = Self.patience(expected)
        let got = try await Stage.run(setting) { stage in
            try await Outcome(
                isReady: stage.settle(), words: stage.words(like: expected.words), bus: stage.askBus(patience.bus),
                web: stage.askWeb(patience.web))
        }
        #expect(got == expected)
    }

    /// Long where something is done: a busy machine may need it.
    private static func patience(_ expected: Outcome) -> (bus: Duration, web: Duration) {
        expected.bus.contains(true) ? (.seconds(60), .seconds(60)) : (.seconds(2), .seconds(5))
    }

    @Test("a query service that answered openly stops when its storage requires accounts")
    func later() async throws {
        try await Stage.run(AccountSetting(storage: false, query: false, isTCP: false)) { stage in
            #expect(try await stage.askBus(.seconds(60)) == [true, true, false])
            try await stage.restartStorage(accounts: true)
            // Ten seconds at most until it has noticed.
            try await until { try await !stage.settle() }
            #expect(try await stage.askBus(.seconds(2)) == [false, false, false])
            #expect(try await stage.askWeb(.seconds(5)) == [503, 503])
        }
    }
}
