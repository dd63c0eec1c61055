// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkCLI
@testable import WaymarkClient

@Suite("Fences on the command line", .inShortTurn)
struct CLIFenceTests {
    private static func harbour() throws -> FeedFilter {
        let quay = try Coordinate(latitude: -33.8568, longitude: 151.2153)
        return FeedFilter(area: try .circle(at: quay, radius: 500), kinds: ["boat"])
    }

    private static func fence(_ name: String, _ filter: FeedFilter) -> WireFence {
        .with { ($0.id, $0.name, $0.user, $0.filter, $0.rev) = (7, name, "ann", Data(filter.wire.encoded), 4) }
    }

    /// Runs `body` with a service that has the fences harbour, kept by a circle and a kind, and crew, kept by two users.
    private static func withFences(_ body: (CLIStub) async throws -> Void) async throws {
        let known = [
            "harbour": fence("harbour", try harbour()), "crew": fence("crew", FeedFilter(users: ["ann", "ben"])),
        ]
        try await CLIStub.with(
            { command in
                switch command {
                case .fences(let list) where list.name.isEmpty:
                    // Two pages of one fence each.
                    let names = known.keys.sorted().filter { $0 > list.after }
                    return .with { reply in
                        reply.fences.fences = names.prefix(1).compactMap { known[$0] }
                        reply.fences.more = names.count > 1
                    }
                case .fences(let list): return .with { $0.fences.fences = [known[list.name]].compactMap(\.self) }
                case .addFence(let added):
                    return .with {
                        $0.fences.fences = [
                            .with { ($0.id, $0.name, $0.filter) = (8, added.name, added.filter) }
                        ]
                    }
                case .removeFence: return .with { $0.done = WireDone() }
                default: return .with { $0.hits = WireHits() }
                }
            }, body)
    }

    @Test("a command's own conditions narrow the fence's, in the one request that follows")
    func narrowed() async throws {
        try await Self.withFences { stub in
            for command in ["list", "near"] {
                let place = command == "near" ? ["1,2"] : []
                let result = await stub.run([command] + place + ["--fence", "harbour", "--user", "ben"])
                #expect(result.status == 0, "\(result.err)")
                // Because nothing is found, the command then asks why.
                let asked = stub.commands()
                try #require(asked.count > 1)
                #expect(asked[0] == .fences(.with { $0.name = "harbour" }) && !asked.dropFirst().contains(asked[0]))
                let filter =
                    switch asked[1] {
                    case .list(let list): list.filter
                    case .near(let near): near.filter
                    default: WireFilter()
                    }
                #expect(filter.circle.radiusM == 500 && filter.circle.lat == -33.8568)
                #expect(filter.kinds == ["boat"] && filter.user == "ben" && !filter.hasSource)
            }
        }
    }

    @Test("is a usage error if both have the same condition, or if a question cannot express the fence")
    func notBoth() async throws {
        try await Self.withFences { stub in
            let twice = await stub.run("list", "--fence", "harbour", "--kind", "beach")
            #expect(twice.status == 2 && twice.err.contains("harbour has its own --kind: leave --kind out."))
            let several = await stub.run("near", "1,2", "--fence", "crew")
            #expect(several.status == 2)
            #expect(several.err.contains("\"waymark tail --fence crew --snapshot --no-follow\""), "\(several.err)")
            let unknown = await stub.run("list", "--fence", "port", "-o", "json")
            #expect(unknown.status == 1 && unknown.err.contains(#""code":"not_found","message":"There is no fence"#))
            // No landmarks were asked for.
            #expect(stub.commands().allSatisfy { if case .fences = $0 { true } else { false } })
        }
    }

    @Test("are kept in the canonical form, also with the conditions of another one")
    func added() async throws {
        try await Self.withFences { stub in
            let added = await stub.run(
                "fence", "add", "port", "--near", "-33.8568", "151.2153", "--radius", "0.5km", "--kind", "Boat")
            #expect(added.status == 0, "\(added.err)")
            #expect(added.out == "kept port: within 500 m of -33.8568,151.2153, kind boat\n")
            let bytes = Data(try Self.harbour().wire.encoded)
            #expect(stub.commands() == [.addFence(.with { ($0.name, $0.filter) = ("port", bytes) })])
            let narrower = await stub.run("fence", "add", "bens", "--fence", "harbour", "--user", "ben")
            #expect(narrower.out == "kept bens: within 500 m of -33.8568,151.2153, kind boat, user ben\n")
            let empty = await stub.run("fence", "add", "all")
            #expect(empty.status == 2 && empty.err.contains("A fence needs a condition"))
        }
    }

    @Test("are listed over all pages, shown with who is inside, and removed")
    func shown() async throws {
        try await Self.withFences { stub in
            let list = await stub.run("fence", "list")
            #expect(list.out.split(separator: "\n").map { $0.prefix(4) } == ["NAME", "crew", "harb"], "\(list.err)")
            #expect(list.out.contains("user ann or ben"))
            let show = await stub.run("fence", "show", "harbour")
            #expect(show.out.hasPrefix("fence harbour\n  filter   within 500 m of -33.8568,151.2153, kind boat\n"))
            #expect(show.status == 0 && show.err.contains("Nobody is inside."), "\(show.err)")
            let crew = await stub.run("fence", "show", "crew")
            #expect(crew.status == 0 && crew.err.contains("waymark tail --fence crew"))
            let json = await stub.run("fence", "show", "harbour", "-o", "json")
            #expect(json.out.hasPrefix(#"{"id":7,"name":"harbour","user":"ann","#))
            #expect(json.out.hasSuffix(#""rev":4,"inside":[],"more":false}"# + "\n"), "\(json.out)")
            let other = await stub.run("fence", "show", "crew", "-o", "json")
            #expect(other.out.contains(#""inside":null,"more":false"#))
            let removed = await stub.run("fence", "remove", "harbour")
            #expect(removed.out == "removed harbour\n" && removed.status == 0, "\(removed.err)")
            #expect(stub.commands().last == .removeFence(.with { $0.name = "harbour" }))
        }
    }

    @Test func aFilterInWords() throws {
        let box = FeedFilter(area: .box(try AreaBox(south: -34, west: 151, north: -33.5, east: 151.5)))
        #expect(box.words == "within -34,151,-33.5,151.5")
        let corners = [(0.0, 0.0), (1, 0), (1, 1)].map { AreaPolygon.Corner(longitude: $0, latitude: $1) }
        let polygon = FeedFilter(area: .polygon(try AreaPolygon(rings: [corners])), sources: ["", "osm"])
        #expect(polygon.words == "within a polygon of 3 corners, source none or osm")
        #expect(FeedFilter(operations: [.left, .entered]).words == "operation entered or left")
        #expect(FeedFilter.everything.words == "everything")
    }

    @Test("watch follows the fence's area, however small the radius")
    func watched() throws {
        let filter = try #require(LandmarkFilter(try Self.harbour()))
        let here = try Coordinate(latitude: 1, longitude: 2)
        #expect(try WatchQuery(radius: 100, filter: filter).feedFilter(around: here) == Self.harbour())
        let circle = WatchQuery(radius: 100).feedFilter(around: here)
        #expect(circle == FeedFilter(area: try .circle(at: here, radius: 101)))
    }
}
