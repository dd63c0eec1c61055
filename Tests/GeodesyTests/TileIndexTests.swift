// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import TestTurns
import Testing

@testable import Geodesy

/// Points by payload, and a computation of tiles that looks at all of them and shares no code with the index.
private struct PlainTiles {
    var places: [UInt32: Coordinate] = [:]

    /// Column and row of a place on a map with 2^zoom columns, by the usual formula; nil if it is on no tile.
    static func place(_ coordinate: Coordinate, zoom: UInt32) -> (column: Int, row: Int)? {
        let side = Double(UInt64(1) << UInt64(zoom))
        let radians = coordinate.latitude * .pi / 180
        let row = (1 - asinh(tan(radians)) / .pi) / 2
        guard row >= 0, row < 1 else { return nil }
        let column = Int(((coordinate.longitude + 180) / 360 * side).rounded(.down)) % Int(side)
        return (column, Int((row * side).rounded(.down)))
    }

    static func tile(_ coordinate: Coordinate, zoom: UInt32) -> MapTile? {
        place(coordinate, zoom: zoom).flatMap {
            MapTile(zoom: zoom, column: UInt32($0.column), row: UInt32($0.row))
        }
    }

    /// The payloads by column and row of their cell.
    func cells(of tile: MapTile) -> [[Int]: [UInt32]] {
        var cells: [[Int]: [UInt32]] = [:]
        for (payload, coordinate) in places {
            guard let (column, row) = Self.place(coordinate, zoom: tile.zoom + 6), column >> 6 == tile.column,
                row >> 6 == tile.row
            else { continue }
            cells[[column & 63, row & 63], default: []].append(payload)
        }
        return cells
    }
}

@Suite("The index of map tiles", .computing)
struct TileIndexTests {
    private func columnAndRow(_ cell: Int) -> [Int] {
        var place = [0, 0]
        for bit in 0..<12 { place[bit & 1] |= (cell >> bit & 1) << (bit / 2) }
        return place
    }

    private func place(_ coordinate: Coordinate) -> MercatorCode? { WebMercator.code(of: coordinate) }

    private func compare(_ index: TileIndex, _ plain: PlainTiles, _ tile: MapTile) {
        let expected = plain.cells(of: tile)
        let cells = index.cells(of: tile)
        #expect(cells.map(\.number) == cells.map(\.number).sorted(), "\(tile)")
        #expect(cells.count == expected.count, "\(tile)")
        for cell in cells {
            let payloads = expected[columnAndRow(cell.number)] ?? []
            #expect(cell.count == payloads.count, "\(tile) \(cell.number)")
            #expect(cell.payloads?.sorted() == (payloads.count <= 4 ? payloads.sorted() : nil), "\(tile)")
        }
        var (read, position): ([UInt32], TilePosition?) = ([], nil)
        repeat {
            position = index.forward(in: tile, from: position, limit: 37) { code, payload in
                #expect(tile.codes.contains(code))
                read.append(payload)
            }
        } while position != nil
        #expect(read.sorted() == expected.values.flatMap { $0 }.sorted())
    }

    private func checkBlocks(_ index: TileIndex) {
        #expect(index.blocks.count == index.starts.count && index.blocks.count == index.stamps.count)
        #expect(index.blocks.count == 1 || index.blocks.allSatisfy { !$0.isEmpty && $0.count <= 256 })
        #expect(index.blocks.reduce(0) { $0 + $1.count } == index.count)
        for (number, block) in index.blocks.enumerated() {
            let isInPlace = block.allSatisfy { entry in
                !(entry < index.starts[number])
                    && (number + 1 == index.blocks.count || entry < index.starts[number + 1])
            }
            #expect(isInPlace)
        }
    }

    @Test("cells are those of a plain computation, while points come, move and go", arguments: Population.allCases)
    func changes(population: Population) {
        var random = SplitMix64(seed: 3)
        var (index, plain) = (TileIndex(), PlainTiles())
        for step in 0..<4_000 as Range<UInt32> {
            // First mostly more, then mostly fewer, until few are left.
            let payload = UInt32(random.next() % 1_500)
            let isAdding = random.next() % 10 < (step < 2_000 ? 8 : 2)
            if let known = plain.places.removeValue(forKey: payload), let code = place(known) {
                let removed = index.remove(payload, at: code)
                #expect(removed)
                let again = index.remove(payload, at: code)
                #expect(!again)
            }
            if isAdding {
                let new = population.place(&random)
                plain.places[payload] = new
                if let code = place(new) { index.insert(payload, at: code) }
            }
            guard step % 500 == 499 else { continue }
            checkBlocks(index)
            for _ in 0..<10 {
                let zoom = UInt32(random.next() % 21)
                let any = plain.places.randomElement(using: &random)?.value ?? population.place(&random)
                if let tile = PlainTiles.tile(any, zoom: zoom) { compare(index, plain, tile) }
            }
            compare(index, plain, MapTile(zoom: 0, column: 0, row: 0)!)
        }
        for (payload, last) in plain.places { if let code = place(last) { index.remove(payload, at: code) } }
        #expect(index.count == 0 && index.cells(of: MapTile(zoom: 0, column: 0, row: 0)!).isEmpty)
        checkBlocks(index)
    }

    @Test("a place on an edge belongs to the tile east and south of it; 180 is -180; beyond the map is no tile")
    func edges() throws {
        for zoom in 0...20 as ClosedRange<UInt32> {
            let side = UInt32(1) << zoom
            for column in Set([0, 1, side / 3, side / 2, side - 1]) where column < side {
                // Exact, as the width of a tile is 360 over a power of two.
                let west = -180 + 360 * Double(column) / Double(side)
                for (longitude, expected) in [(west, column), (west - 1e-7, column == 0 ? nil : column - 1)] {
                    guard let expected else { continue }
                    let tile = try #require(MapTile(zoom: zoom, column: expected, row: zoom == 0 ? 0 : side / 2))
                    // The equator is the upper edge of the row below it.
                    let code = try #require(place(at(0, longitude)))
                    #expect(tile.codes.contains(code), "\(zoom) \(longitude)")
                    #expect(MapTile(zoom: zoom, containing: code) == tile)
                }
            }
            let corner = try #require(MapTile(zoom: zoom, column: 0, row: 0))
            #expect(corner.codes.contains(try #require(place(at(WebMercator.maxLatitude, 180)))))
            #expect(corner.codes.contains(try #require(place(at(WebMercator.maxLatitude, -180)))))
            let south = try #require(MapTile(zoom: zoom, column: side - 1, row: side - 1))
            #expect(south.codes.contains(try #require(place(at(-WebMercator.maxLatitude, (180.0).nextDown)))))
        }
        #expect(place(at(WebMercator.maxLatitude.nextUp, 0)) == nil && place(at(-90, 0)) == nil)
        #expect(abs(WebMercator.maxLatitude - atan(sinh(Double.pi)) * 180 / .pi) < 1e-12)
        #expect(place(at(12, 180)) == place(at(12, -180)))
    }

    @Test("the tiles of a zoom cover the map without a gap, and only they exist")
    func numbers() throws {
        for zoom in 0...4 as ClosedRange<UInt32> {
            var ranges: [ClosedRange<MercatorCode>] = []
            for column in 0..<(1 << zoom) as Range<UInt32> {
                for row in 0..<(1 << zoom) as Range<UInt32> {
                    ranges.append(try #require(MapTile(zoom: zoom, column: column, row: row)).codes)
                }
            }
            ranges.sort { $0.lowerBound < $1.lowerBound }
            #expect(ranges[0].lowerBound.bits == 0 && ranges[ranges.count - 1].upperBound.bits == .max)
            for (left, right) in zip(ranges, ranges.dropFirst()) {
                #expect(left.upperBound.bits + 1 == right.lowerBound.bits)
            }
            #expect(MapTile(zoom: zoom, column: 1 << zoom, row: 0) == nil)
            #expect(MapTile(zoom: zoom, column: 0, row: 1 << zoom) == nil)
        }
        #expect(MapTile(zoom: 21, column: 0, row: 0) == nil && MapTile(zoom: .max, column: 0, row: 0) == nil)
        #expect(MapTile(zoom: 20, column: .max, row: 0) == nil)
    }

    @Test("a tile's stamp grows with each change in it, and most changes elsewhere leave it")
    func stamps() throws {
        var random = SplitMix64(seed: 9)
        var index = TileIndex()
        var places: [UInt32: Coordinate] = [:]
        var last: [MapTile: UInt64] = [:]
        for _ in 0..<15 {
            last[try #require(PlainTiles.tile(Population.cities.place(&random), zoom: UInt32(random.next() % 16)))] = 0
        }
        var (kept, changed) = (0, 0)
        for stamp in 1...5_000 as ClosedRange<UInt64> {
            let payload = UInt32(random.next() % 2_000)
            let isAdding = random.next() % 10 < (stamp < 3_000 ? 9 : 3)
            let (here, there) = (places[payload], isAdding ? Population.cities.place(&random) : nil)
            let before = last.mapValues { _ in UInt64(0) }.map { ($0.key, index.stamp(of: $0.key)) }
            if let here, let code = place(here) { index.remove(payload, at: code) }
            if let there, let code = place(there) { index.insert(payload, at: code) }
            for code in [here, there].compactMap({ $0.flatMap(place) }) { index.stamp(code, payload, with: stamp) }
            places[payload] = there
            for (tile, old) in before {
                let isTouched = [here, there].contains { $0.flatMap { PlainTiles.tile($0, zoom: tile.zoom) } == tile }
                let new = index.stamp(of: tile)
                #expect(isTouched ? new == stamp : new >= old)
                if !isTouched, stamp > 2_000 { if new == old { kept += 1 } else { changed += 1 } }
            }
        }
        #expect(kept > 3 * changed)
        index.stampAll(with: 9_000)
        #expect(last.keys.allSatisfy { index.stamp(of: $0) == 9_000 })
    }

    @Test("blocks that are joined do not forget their stamps", arguments: [true, false])
    func joined(fromWest: Bool) throws {
        var index = TileIndex()
        let west = try (0..<600).map { try #require(place(at(10, -90 + Double($0) / 100))) }
        let east = try (0..<600).map { try #require(place(at(10, 90 + Double($0) / 100))) }
        for (number, code) in (west + east).enumerated() { index.insert(UInt32(number), at: code) }
        for (number, code) in (west + east).enumerated() {
            index.stamp(code, UInt32(number), with: (number < 600) == fromWest ? 1 : 50)
        }
        let tile = MapTile(zoom: 3, containing: fromWest ? east[0] : west[0])
        for number in 0..<600 {
            index.remove(UInt32(number), at: west[number])
            index.remove(UInt32(1_199 - number), at: east[599 - number])
            #expect(index.stamp(of: tile) >= 50)
        }
        checkBlocks(index)
    }

    @Test("a cell lists its points as long as they were never more than four")
    func few() {
        var cell = TileCell(7)
        for payload in 1...4 as ClosedRange<UInt32> { cell.add(payload) }
        cell.remove(2)
        #expect(cell.payloads?.sorted() == [1, 3, 4])
        cell.add(5)
        cell.add(6)
        #expect(cell.count == 5 && cell.payloads == nil)
        cell.remove(1)
        #expect(cell.count == 4 && cell.payloads == nil)
        // The one that had no room goes: the others are all known.
        cell.remove(6)
        #expect(cell.payloads?.sorted() == [3, 4, 5])
    }
}
