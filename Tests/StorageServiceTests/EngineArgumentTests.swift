// SPDX-License-Identifier: Apache-2.0

import Settings
import TestTurns
import Testing

@testable import StorageService

@Suite("A password among the arguments", .computing)
struct EngineArgumentTests {
    private static let (open, closed) = (
        "postgresql://ann:hidden@db/waymark", "postgresql://ann@db/waymark?passfile=/p"
    )

    @Test("is refused with a sentence that does not show it, and in a file or a variable is none")
    func engine() throws {
        func server(_ environment: [String: String], _ arguments: [String]) throws -> Bool {
            let settings = try Settings.load(
                schema: .storage, file: nil, environment: environment, arguments: arguments)
            return try EngineSetting.server(settings) != nil
        }
        #expect(try server([:], ["--engine", Self.closed]))
        #expect(try server(["WAYMARK_STORAGE_ENGINE": Self.open], []))
        let refused = #expect(throws: Unusable.self) { _ = try server([:], ["--engine", Self.open]) }
        let sentence = try #require(refused?.description)
        #expect(sentence.hasPrefix("--engine has a password") && !sentence.contains("hidden"))
        for other in ["postgresql://db/waymark?user=ann&password=hidden", "postgres://ann:hidden@db/waymark"] {
            let refused = #expect(throws: Unusable.self) { _ = try server([:], ["--engine", other]) }
            #expect(refused?.description == sentence)
        }
    }

    @Test("the target of a copy likewise")
    func copy() throws {
        let refused = #expect(throws: Unusable.self) { _ = try TransferPlace(Self.open, of: "--to") }
        #expect(refused?.description.hasPrefix("--to has a password") == true)
        _ = try TransferPlace(Self.closed, of: "--to")
        _ = try TransferPlace("/data:x@y", of: "--to")
    }
}
