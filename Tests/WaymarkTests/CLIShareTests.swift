// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol
import WaymarkTransport

@testable import WaymarkCLI
@testable import WaymarkClient

@Suite("Links that end, on the command line", .inShortTurn)
struct CLIShareTests {
    private static let boat = UUIDv7(high: 0x0193_3c6e_7f3a_7c21, low: 0x9b0e_2f6d_8a41_c7e5)
    private static let digests = [UInt8(1), 2].map { Data(repeating: $0, count: 32) }

    /// Runs `body` with a service that has two links, each on a page of its own.
    private static func withLinks(_ body: (CLIStub) async throws -> Void) async throws {
        let area = Data(FeedFilter(kinds: ["boat"]).wire.encoded)
        try await CLIStub.with(
            { command in
                switch command {
                case .grants(let list):
                    let isFirst = list.after.isEmpty
                    let link = WireGrant.with {
                        ($0.digest, $0.kind, $0.user) = (digests[isFirst ? 0 : 1], .see, "ann")
                        if isFirst { ($0.landmark, $0.track) = (boat.wire, true) } else { $0.filter = area }
                    }
                    return .with { ($0.grants.grants, $0.grants.more) = ([link], isFirst) }
                case .addGrant(let added):
                    let link = WireGrant.with {
                        ($0.digest, $0.kind, $0.label) = (added.digest, added.kind, added.label)
                        $0.expires = added.expires
                        ($0.landmark, $0.filter, $0.track) = (added.landmark, added.filter, added.track)
                    }
                    return .with { $0.grants.grants = [link] }
                case .endGrant: return .with { $0.done = WireDone() }
                case .addFence(let added):
                    return .with {
                        $0.fences.fences = [.with { ($0.id, $0.name, $0.filter) = (8, added.name, added.filter) }]
                    }
                default: return .with { $0.written = WireWritten.with { $0.id = boat.wire } }
                }
            }, body)
    }

    @Test("the secret is in the link and nowhere else; storage gets its digest")
    func made() async throws {
        try await Self.withLinks { stub in
            let before = WallClock.milliseconds
            let made = await stub.run(
                "share", "\(Self.boat)", "--for", "2h", "--track", "--label", "Bob", "--web", "https://w.example/")
            #expect(made.status == 0, "\(made.err)")
            let prefix = "https://w.example/share#"
            try #require(made.out.hasPrefix(prefix), "\(made.out)")
            let token = try #require(GrantToken(made.out.dropFirst(prefix.count).dropLast()))
            guard case .addGrant(let asked)? = stub.commands().first else { throw CocoaError(.featureUnsupported) }
            #expect(asked.digest == Data(token.digest?.bytes ?? []) && asked.kind == .see && asked.label == "Bob")
            #expect(asked.landmark == Self.boat.wire && asked.track && asked.filter.isEmpty)
            #expect((before + 7_200_000...before + 7_260_000).contains(asked.expires))

            let area = await stub.run("share", "--within=-34,151,-33,152", "--for", "7d", "-o", "json")
            #expect(area.status == 0 && area.out.contains(#""url":"http://127.0.0.1:7480/share#"#), "\(area.err)")
            guard case .addGrant(let asked)? = stub.commands().first else { throw CocoaError(.featureUnsupported) }
            #expect(asked.landmark.isEmpty && !asked.filter.isEmpty && !asked.track)
        }
    }

    @Test("a link is about one thing, and a time has a unit")
    func refused() async throws {
        try await Self.withLinks { stub in
            for words in [
                ["share"], ["share", "\(Self.boat)", "--kind", "boat"], ["share", "\(Self.boat)", "--for", "2"],
                ["share", "\(Self.boat)", "--for", "11y"], ["share", "--user", "ann", "--user", "ben"],
                ["share", "\(Self.boat)", "--web", "w.example"],
            ] {
                #expect(await stub.run(words).status == 2, "\(words)")
            }
            #expect(stub.commands().isEmpty)
        }
    }

    @Test("all pages are listed, and a link is ended by the beginning of its fingerprint")
    func ended() async throws {
        try await Self.withLinks { stub in
            let list = await stub.run("share", "list")
            #expect(list.out.split(separator: "\n").count == 3 && list.out.contains("kind boat"), "\(list.out)")
            #expect(list.out.contains("with its track") && list.out.contains("by hand"))
            let json = await stub.run("share", "list", "-o", "json")
            let found = json.out.matches(of: /"fingerprint":"([0-9a-f:]{39})"/).map { String($0.1) }
            let second = try #require(found.last)
            #expect(Set(found).count == 2)
            let ended = await stub.run("share", "end", String(second.prefix(14)))
            #expect(ended.status == 0 && ended.out == "\(second) is ended\n", "\(ended.err)")
            #expect(stub.commands().last == .endGrant(.with { $0.digest = Self.digests[1] }))
            let none = await stub.run("share", "end", "xyz")
            #expect(none.status == 1 && none.err.contains("waymark share list"), "\(none.err)")
        }
    }

    @Test("a private fence and a landmark that expires are asked for as such")
    func privateAndExpiring() async throws {
        try await Self.withLinks { stub in
            let kept = await stub.run("fence", "add", "home", "--near", "1,2", "--radius", "300m", "--private")
            guard case .addFence(let fence)? = stub.commands().first else { throw CocoaError(.featureUnsupported) }
            #expect(kept.status == 0 && fence.isPrivate, "\(kept.err)")
            let before = WallClock.milliseconds
            let added = await stub.run("add", "Stall", "1,2", "--expires", "90m")
            guard case .add(let add)? = stub.commands().first else { throw CocoaError(.featureUnsupported) }
            #expect((before + 5_400_000...before + 5_460_000).contains(add.expires), "\(added.err)")
        }
    }

    @Test(
        "the page is where up has it on this machine, and behind https elsewhere",
        arguments: [
            ("tcp://127.0.0.1:7420", "http://127.0.0.1:7480"), ("ipc:///run/waymark/q", "http://127.0.0.1:7480"),
            ("tcp://waymark.example:7420,tcp://b:1", "https://waymark.example"),
            ("tcp://[::1]:7420", "http://127.0.0.1:7480"), ("tcp://[2001:db8::1]:7420", "https://[2001:db8::1]"),
        ])
    func site(_ endpoint: String, _ site: String) { #expect(WebAddressOptions.site(of: endpoint) == site) }
}
