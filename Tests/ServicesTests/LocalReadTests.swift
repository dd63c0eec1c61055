// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import QueryService
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Reads that do not leave the process", .inTurn)
struct LocalReadTests {
    /// - Parameter endpoint: of the bus.
    private func client(
        _ query: QueryServer, _ endpoint: String, _ context: Context, timeout: Duration = .seconds(60)
    ) async throws -> WaymarkClient {
        var options = ClientOptions(endpoint: endpoint, user: "ann", timeout: timeout)
        options.local = query.local
        return try await WaymarkClient(options, context: context)
    }

    /// A client that reaches nothing over the bus.
    private func withoutBus(
        _ query: QueryServer, _ context: Context, timeout: Duration = .seconds(60),
        _ body: (WaymarkClient) async throws -> Void
    ) async throws {
        let client = try await client(query, "tcp://127.0.0.1:1", context, timeout: timeout)
        do {
            try await body(client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    private func counter(_ name: String, _ client: WaymarkClient) async throws -> UInt64 {
        try await client.status().query?.counters.first { $0.name == name }?.value ?? 0
    }

    @Test("answer like the bus, also those that storage answers, and count like them")
    func answers() async throws {
        try await withPair { pair, bus in
            let place = try Coordinate(latitude: -33.9, longitude: 151.2)
            let added = try await bus.add(WriteTests.draft("first"), note: "a note")
            try await withoutBus(pair.query, pair.context) { local in
                let position = Position(epoch: try await bus.hello().position.epoch, rev: added.rev)
                let near = try await local.near(place, limit: 5, atLeast: position)
                #expect(near.hits.count == 1 && near.hits.first?.landmark.notes.first?.text == "a note")
                #expect(try await bus.near(place, limit: 5).hits == near.hits)
                #expect(try await bus.list(.byName).hits == local.list(.byName).hits)
                #expect(try await local.search("first", atLeast: position).hits.map(\.landmark.id) == [added.id])
                #expect(try await local.show(added.id).entries.count == 1)
                let start = Position(epoch: position.epoch, rev: 0)
                #expect(try await local.changes(after: start).changes.count == 1)
                let before = try await counter("near_by_hand", local)
                for _ in 0..<5 { _ = try await local.near(place) }
                #expect(try await counter("near_by_hand", local) == before + 5)
                // A write has only the bus.
                let write = Task { try await local.remove(added.id) }
                #expect(try await local.show(added.id).landmark.id == added.id)
                write.cancel()
                _ = await write.result
            }
        }
    }

    @Test("include what the same client has just written over the bus")
    func ownWrites() async throws {
        try await withPair { pair, _ in
            let client = try await client(pair.query, pair.endpoint, pair.context)
            let place = try Coordinate(latitude: -33.9, longitude: 151.2)
            do {
                for number in 1...50 {
                    let added = try await client.add(WriteTests.draft("\(number)"))
                    #expect(try await client.near(place, limit: 100).hits.contains { $0.landmark.id == added.id })
                }
            } catch {
                await client.close()
                throw error
            }
            await client.close()
        }
    }

    @Test("wait for a position until shortly before their deadline, are refused then, and end with the service")
    func deadline() async throws {
        try await withPair { pair, bus in
            let place = try Coordinate(latitude: 0, longitude: 0)
            let rev = try await bus.add(WriteTests.draft()).rev
            let epoch = try await bus.hello().position.epoch
            // On a busy machine the service may come to the waiting request only after its deadline.
            var refused: String? = "timed out"
            for milliseconds in [400, 800, 1_600, 3_200, 6_400, 12_800] where refused == "timed out" {
                try await withoutBus(pair.query, pair.context, timeout: .milliseconds(milliseconds)) { local in
                    let begun = ContinuousClock.now
                    refused = await refusal {
                        _ = try await local.near(place, atLeast: Position(epoch: epoch, rev: rev + 1))
                    }
                    #expect(ContinuousClock.now - begun > .milliseconds(milliseconds / 2))
                }
            }
            #expect(refused == ErrorCode.notYet.name)
            try await withoutBus(pair.query, pair.context) { local in
                let impossible = await refusal {
                    _ = try await local.near(place, atLeast: Position(epoch: epoch, rev: 1 << 61))
                }
                #expect(impossible == ErrorCode.futureRevision.name)
            }
            let before = try await counter("near", bus)
            try await withoutBus(pair.query, pair.context) { local in
                let waiting = Task {
                    await refusal { _ = try await local.near(place, atLeast: Position(epoch: epoch, rev: rev + 1)) }
                }
                try await until { try await counter("near", bus) > before }
                await pair.query.stop()
                // The refusal as the service stops is temporary, and afterwards there is nobody to ask again.
                #expect(await waiting.value == "cannot connect")
            }
        }
    }

    @Test("are refused once the account that they are made for has ended")
    func permission() async throws {
        try await withSecuredPair { pair in
            let place = try Coordinate(latitude: 0, longitude: 0)
            let number = try await pair.account("ann", .reader).client.whoAmI().number
            try await withoutBus(pair.query, pair.contexts[1]) { local in
                let (known, unknown) = (
                    local.acting(for: RequestAuthor(account: number)),
                    local.acting(for: RequestAuthor(account: number + 1_000))
                )
                _ = try await known.near(place)
                for ask: @Sendable (WaymarkClient) async throws -> Void in [
                    { _ = try await $0.near(place) }, { _ = try await $0.list(.byName) },
                    { _ = try await $0.search("x") }, { _ = try await $0.status() },
                ] {
                    #expect(await refusal { try await ask(unknown) } == ErrorCode.accountEnded.name)
                }
            }
        }
    }
}
