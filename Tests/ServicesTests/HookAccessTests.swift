// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("Fences and hooks with accounts", .inTurn)
struct HookAccessTests {
    private static func hook(_ name: String) -> WireRequest {
        .with { $0.addHook = .with { ($0.name, $0.url) = (name, "https://example.org/") } }
    }

    private static let turn = WireRequest.with {
        $0.hookTurn = .with { $0.service = Data(repeating: 7, count: 16) }
    }

    @Test("an account sees its own hooks through a query service, and only a service takes turns")
    func owners() async throws {
        try await withSecuredPair { pair in
            let (_, ann) = try await pair.account("ann", .user)
            let (_, bob) = try await pair.account("bob", .user)
            let (_, root) = try await pair.account("root", .admin)
            let (_, reader) = try await pair.account("reader", .reader)
            for client in [ann, bob] {
                #expect(try await client.send(Self.hook("mine")).1.hooks.hooks.first?.secret.count == 32)
            }
            let list = WireRequest.with { $0.hooks = WireListHooks() }
            #expect(try await ann.send(list).1.hooks.hooks.map(\.user) == ["ann"])
            #expect(try await root.send(list).1.hooks.hooks.map(\.user) == ["ann", "bob"])
            #expect(try await root.send(list).1.hooks.hooks.allSatisfy { $0.secret.isEmpty })
            let failures = WireRequest.with { $0.hookFailures.name = "#2" }
            #expect(await refusal { _ = try await ann.send(failures) } == "not_found")
            #expect(try await bob.send(failures).1.hookFailures.failures.isEmpty)
            for request in [list, Self.hook("x"), failures] {
                #expect(await refusal { _ = try await reader.send(request) } == "denied")
            }
            for client in [ann, root] { #expect(await refusal { _ = try await client.send(Self.turn) } == "denied") }
            // A query service's own key.
            let service = try await pair.client(pair.serviceKeys)
            #expect(try await service.send(Self.turn).1.hookTurns.hooks.map(\.user) == ["ann", "bob"])
            let fence = WireRequest.with {
                $0.addFence = .with {
                    ($0.name, $0.filter) = ("home", Data(WireFeedFilter.with { $0.kinds = ["beach"] }.encoded))
                }
            }
            #expect(try await ann.send(fence).1.fences.fences.map(\.user) == ["ann"])
            #expect(await refusal { _ = try await bob.send(fence) } == "denied")
            // Whoever reads may use a fence.
            let fences = WireRequest.with { $0.fences.name = "home" }
            #expect(try await reader.send(fences).1.fences.fences.map(\.name) == ["home"])
        }
    }
}
