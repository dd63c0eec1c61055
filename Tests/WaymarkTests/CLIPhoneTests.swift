// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import WaymarkCLI
@testable import WaymarkClient

@Suite("Phones on the command line", .inShortTurn)
struct CLIPhoneTests {
    private static let id = UUIDv7(high: 0x0193_3c6e_7f3a_7c21, low: 0x9b0e_2f6d_8a41_c7e5)
    private static let digest = Data(repeating: 7, count: 32)

    private static func answer(_ command: CLIStub.Command) -> WireReply {
        switch command {
        case .show:
            .with { $0.shown.landmark = .with { ($0.id, $0.name, $0.lat, $0.lng) = (id.wire, "ann", -33.8, 151.2) } }
        case .addGrant(let add):
            .with {
                $0.grants.grants = [
                    .with {
                        ($0.digest, $0.kind, $0.label) = (add.digest, .move, add.label)
                        ($0.landmark, $0.user, $0.made, $0.locates) = (add.landmark, "ann", 1, add.locates)
                    }
                ]
            }
        case .grants:
            .with {
                $0.grants.grants = [
                    .with {
                        ($0.digest, $0.kind, $0.label, $0.landmark) = (digest, .move, "pixel", id.wire)
                        ($0.user, $0.made, $0.used) = ("ann", 1, 2)
                    }
                ]
            }
        case .eraseTrack: .with { $0.trackErased = .init() }
        default: .with { $0.done = .init() }
        }
    }

    @Test("a phone's key is printed with what to type into each app")
    func made() async throws {
        try await CLIStub.with(Self.answer) { stub in
            let made = await stub.run(
                "keys", "new", "--for", "track", "--landmark", "\(Self.id)", "--web", "https://map.example/",
                "--no-friends")
            #expect(made.status == 0, "\(made.err)")
            guard case .addGrant(let add)? = stub.commands().last else {
                Issue.record("a grant is added")
                return
            }
            #expect(add.kind == .move && add.landmark == Self.id.wire && add.label == "ann" && !add.locates)
            let key = try #require(made.out.firstMatch(of: #/password  (\S{22})\n/#)?.output.1)
            #expect(GrantToken(key)?.digest?.bytes == [UInt8](add.digest))
            for line in [
                "moves ann\n", "url  https://map.example/v1/track/owntracks\n",
                "url  https://map.example/v1/track/\(key)/osmand\n", "token  \(key)\n",
            ] {
                #expect(made.out.contains(line), "\(line)")
            }
            // stdout is no terminal here.
            #expect(!made.out.contains("█"))
            let json = await stub.run("keys", "new", "--for", "track", "--landmark", "\(Self.id)", "-o", "json")
            #expect(json.out.contains(#""owntracks":{"mode":"HTTP","url":"https://HOST/v1/track/owntracks""#))
            #expect(json.out.contains(#""friends":true"#))
        }
    }

    @Test(
        "a scope and its options belong together",
        arguments: [
            ["--for", "track"], ["x.key", "--for", "track", "--landmark", "ann"], [], ["x.key", "--web", "https://a"],
            ["--for", "track", "--landmark", "ann", "--web", "map.example"], ["x.key", "--for", "all", "--no-friends"],
            ["--for", "track", "--landmark", "ann", "--http"], ["x.key", "--for", "everything"],
        ])
    func refused(arguments: [String]) async throws {
        try await CLIStub.with(Self.answer) { stub in
            let refused = await stub.run(["keys", "new"] + arguments)
            #expect(refused.status == 2 && stub.commands().isEmpty, "\(refused)")
        }
    }

    @Test("phones are in the list of keys, and end by the beginning of their fingerprint")
    func listed() async throws {
        try await CLIStub.with(Self.answer) { stub in
            let listed = await stub.run("keys", "list")
            #expect(listed.status == 0, "\(listed.err)")
            let row = try #require(listed.out.split(separator: "\n").last)
            #expect(row.contains("phone") && row.contains("in use") && row.hasSuffix("pixel, for track: ann"))
            let ended = await stub.run("keys", "end", String(row.prefix(4)))
            #expect(ended.status == 0, "\(ended.err)")
            #expect(stub.commands().last == .endGrant(.with { $0.digest = Self.digest }))
            #expect(await stub.run("keys", "end", "zzzz").status != 0)
        }
    }

    @Test(
        "a phone's landmark is called removed only if there is none",
        arguments: [(ErrorCode.notFound, "a removed landmark"), (.internal, "\(id)")])
    func removed(code: ErrorCode, target: String) async throws {
        try await CLIStub.with { command in
            if case .show = command { return WireReply(ServiceError(code, "No.")) }
            return Self.answer(command)
        } _: { stub in
            let listed = await stub.run("keys", "list")
            #expect(listed.out.contains("pixel, for track: \(target)\n"), "\(listed)")
        }
    }

    @Test("a track is erased after a confirmation, up to a time")
    func erased() async throws {
        try await CLIStub.with(Self.answer) { stub in
            for wrong in [[], ["--all", "\(Self.id)"], ["--all", "--before", "7"], ["--all"]] {
                #expect(await stub.run(["track", "erase"] + wrong).status == 2, "\(wrong)")
            }
            #expect(stub.commands().isEmpty)
            let erased = await stub.run("track", "erase", "\(Self.id)", "--before", "2026-01-01T00:00:00Z", "-y")
            #expect(erased.status == 0 && erased.out == "0 points erased\n", "\(erased)")
            #expect(
                stub.commands() == [
                    .eraseTrack(.with { ($0.landmark, $0.before) = (Self.id.wire, 1_767_225_600_000) })
                ])
            _ = await stub.run("track", "erase", "--all", "--yes")
            #expect(stub.commands() == [.eraseTrack(.init())])
        }
    }
}
