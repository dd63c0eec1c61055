// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import TestSupport
import TestTurns
import Testing

@testable import Landmarks

@Suite("The index of filters, beside trying each of them", .computing)
struct FilterIndexTests {
    private final class Fence: IndexedFilter {
        let filter: FeedFilter
        var place = 0

        init(_ filter: FeedFilter) { self.filter = filter }
    }

    /// A world whose places gather at the poles and at the 180th meridian, where areas have the strangest bounds.
    private struct World {
        var random = SplitMix64(seed: 7)

        mutating func place() throws -> Coordinate {
            let near = random.unit() * random.element(of: [1e-4, 0.05, 3])
            let latitudes: [Double] = [90, -90, 90 - near, near - 90, near, random.unit() * 180 - 90]
            let longitudes: [Double] = [180, -180, 180 - near, near - 180, near, random.unit() * 360 - 180]
            return try Coordinate(
                latitude: random.element(of: latitudes), longitude: random.element(of: longitudes))
        }

        mutating func place(near centre: Coordinate) -> Coordinate {
            let distance = random.unit() * random.element(of: [150, 8_000, 500_000])
            return Geodesic.destination(from: centre, bearing: random.unit() * 360, distance: distance)
        }

        mutating func area(at centre: Coordinate) throws -> Area {
            if random.isOne(of: 3) { return .polygon(try polygon(at: centre)) }
            if random.isOne(of: 4) {
                let other = place(near: centre)
                let (south, north) = (
                    min(centre.latitude, other.latitude), max(centre.latitude, other.latitude)
                )
                return .box(try AreaBox(south: south, west: centre.longitude, north: north, east: other.longitude))
            }
            return try .circle(at: centre, radius: random.element(of: [0, 100, 5_000, 300_000, 9_000_000]))
        }

        /// A star of 5 to 200 corners on the flat map, also beyond the 180th meridian; the poles cut it off.
        private mutating func polygon(at centre: Coordinate) throws -> AreaPolygon {
            let corners = 5 + Int(random.next() % 196)
            let size = random.element(of: [0.001, 0.05, 2, 100])
            return try AreaPolygon(rings: [
                (0..<corners).map { corner in
                    let angle = 2 * .pi * Double(corner) / Double(corners)
                    let reach = size * (0.5 + random.unit() / 2)
                    return AreaPolygon.Corner(
                        longitude: centre.longitude + reach * cos(angle),
                        latitude: max(-90, min(90, centre.latitude + reach * sin(angle))))
                }
            ])
        }

        mutating func filter(at centre: Coordinate) throws -> FeedFilter {
            let (kind, user) = ("k\(random.next() % 4)", "u\(random.next() % 4)")
            switch random.next() % 20 {
            case 0: return FeedFilter(kinds: [kind, "k0"])
            case 1: return FeedFilter(users: [user, "u0"], operations: [.entered])
            case 2: return FeedFilter(sources: ["", kind])
            case 3: return FeedFilter(area: try area(at: centre), ids: [UUIDv7(high: random.next() % 20, low: 0)])
            case 4: return FeedFilter(operations: [.left, .noted])
            case 5...8: return FeedFilter(area: try area(at: centre), kinds: [kind], users: [user, "u0"])
            default: return FeedFilter(area: try area(at: centre))
            }
        }

        mutating func subject(_ id: Landmark.ID, at place: Coordinate) -> FilterSubject {
            FilterSubject(
                id: id, coordinate: place, kind: "k\(random.next() % 4)", user: "u\(random.next() % 4)",
                source: random.element(of: ["", "k1", "s"]))
        }
    }

    @Test("the same fences for each change, each once, while fences come and go")
    func findsAll() throws {
        var world = World()
        var index = FilterIndex<Fence>()
        var fences: [(fence: Fence, centre: Coordinate)] = []
        var (matches, crossings) = (0, 0)
        for round in 0..<3_000 {
            if fences.count < 400 || world.random.isOne(of: 2) {
                let centre = try world.place()
                let fence = Fence(try world.filter(at: centre))
                fences.append((fence, centre))
                index.insert(fence)
            } else {
                index.remove(fences.remove(at: Int(world.random.next() % UInt64(fences.count))).fence)
            }
            let id = UUIDv7(high: world.random.next() % 20, low: 0)
            let centre = world.random.element(of: fences).centre
            let after = world.subject(id, at: world.place(near: centre))
            let before = round % 4 == 0 ? nil : world.subject(id, at: world.place(near: centre))
            let operation: Change.Operation = before == nil ? .added : round % 7 == 0 ? .removed : .changed
            func told(_ fence: Fence) -> FeedOperation? {
                fence.filter.operation(of: operation, before: before, after: after)
            }
            var found: [Fence] = []
            index.candidates(before: before, after: after) { found.append($0) }
            #expect(Set(found.map(ObjectIdentifier.init)).count == found.count)
            let expected = fences.map(\.fence).filter { told($0) != nil }
            let got = found.filter { told($0) != nil }
            #expect(Set(expected.map(ObjectIdentifier.init)) == Set(got.map(ObjectIdentifier.init)), "round \(round)")
            for fence in found {
                guard let bounds = fence.filter.area?.bounds else { continue }
                let isNear = [before, after].contains { $0.map { bounds.contains($0.coordinate) } ?? false }
                #expect(isNear, "\(bounds) is no candidate for \(after)")
            }
            matches += expected.count
            crossings += expected.count { [.entered, .left].contains(told($0)) }
        }
        // As many as these show that the comparison was not one of empty lists.
        #expect(matches > 10_000 && crossings > 500, "\(matches) matches, \(crossings) crossings")
        for (fence, _) in fences { index.remove(fence) }
        #expect(index.isEmpty)
    }

    @Test("an area has at most four listings, and each place in its bounds is in one of their cells")
    func fewCells() throws {
        var world = World()
        for _ in 0..<20_000 {
            let centre = try world.place()
            let bounds = try world.area(at: centre).bounds
            let cells = FilterCell.cells(of: bounds)
            #expect(Set(cells).count == cells.count && cells.count <= 4, "\(bounds)")
            let level = try #require(cells.first).level
            #expect(cells.allSatisfy { $0.level == level })
            let corners = [bounds.south, bounds.north].flatMap { south in
                [bounds.west, bounds.east].map { (south, $0) }
            }
            for (latitude, longitude) in corners + [(centre.latitude, centre.longitude)] {
                let place = try Coordinate(latitude: latitude, longitude: longitude)
                guard bounds.contains(place) else { continue }
                #expect(cells.contains(FilterCell(place, level: level)), "\(place) of \(bounds)")
            }
        }
    }
}
