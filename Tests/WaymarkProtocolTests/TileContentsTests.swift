// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestSupport
import TestTurns
import Testing

@testable import WaymarkProtocol

@Suite("The contents of map tiles", .inShortTurn)
struct TileContentsTests {
    /// The cells, each with this count, written as the query service writes them.
    private func written(
        _ cells: [TileCell], kind: (UInt32) -> String = { "kind \($0 % 3)" }
    ) throws -> (bytes: [UInt8], listed: Int) {
        let listed = TileWriter.listedCount(cells)
        var writer = TileWriter(cells: cells.count)
        for cell in cells {
            writer.cell(cell.number, count: cell.count, isListed: cell.count <= listed)
            for payload in cell.count <= listed ? try #require(cell.payloads) : [] {
                writer.point(
                    UUIDv7(high: 1, low: UInt64(payload)),
                    at: try Coordinate(latitude: 90 - Double(payload) / 1e4, longitude: -180 + Double(payload) / 1e4),
                    kind: kind(payload), isFromSource: payload % 2 == 0)
            }
        }
        return (writer.bytes, listed)
    }

    private func cell(_ number: Int, _ count: Int) -> TileCell {
        var cell = TileCell(number)
        for place in 0..<count { cell.add(UInt32(number * 5 + place)) }
        return cell
    }

    @Test("what was written is read")
    func roundTrip() throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<50 {
            let share = random.next() % 60 + 1
            let cells = (0..<4_096).compactMap { number -> TileCell? in
                random.next() % share == 0 && share > 1 ? cell(number, Int(random.next() % 7) + 1) : nil
            }
            let (bytes, listed) = try written(cells)
            let contents = try #require(TileContents(encoded: bytes))
            #expect(contents.cells.map(\.number) == cells.map(\.number))
            #expect(contents.cells.map(\.count) == cells.map(\.count))
            for (read, cell) in zip(contents.cells, cells) {
                var place = [0, 0]
                for bit in 0..<12 { place[bit & 1] |= (cell.number >> bit & 1) << (bit / 2) }
                #expect([read.column, read.row] == place)
                guard cell.count <= listed else {
                    #expect(read.points.isEmpty)
                    continue
                }
                #expect(read.points.map(\.id.low) == cell.payloads?.map(UInt64.init))
                for point in read.points {
                    #expect(point.kind == "kind \(point.id.low % 3)" && point.isFromSource == (point.id.low % 2 == 0))
                    #expect(abs(point.coordinate.latitude - 90 + Double(point.id.low) / 1e4) < 0.6e-7)
                    #expect(abs(point.coordinate.longitude + 180 - Double(point.id.low) / 1e4) < 0.6e-7)
                }
            }
        }
    }

    @Test("a tile is at most 64 KiB, whatever is in it, and lists as much as fits", arguments: [1, 2, 3, 4, 5])
    func bound(count: Int) throws {
        // All kinds are different and long.
        let kind = { (payload: UInt32) in String(repeating: "é", count: 30) + "\(payload)" }
        var before = 5
        for filled in [1, 50, 300, 500, 700, 1_000, 2_000, 4_096] {
            let cells = (0..<filled).map { cell($0 * 4_096 / filled, count) }
            let (bytes, listed) = try written(cells, kind: kind)
            #expect(bytes.count <= TileWriter.mostBytes)
            #expect(listed <= before && (listed == 4 || filled * count * 25 > 50_000))
            before = listed
            #expect(TileContents(encoded: bytes)?.cells.count == filled)
        }
        var crowd = (0..<4_096).map { cell($0, 1) }
        for number in crowd.indices { for _ in 0..<200 { crowd[number].add(9) } }
        #expect(try written(crowd).bytes.count < 20_000)
    }

    @Test("a kind for which the tile has no room is not told")
    func manyKinds() throws {
        let (bytes, _) = try written((0..<200).map { cell($0, 1) }, kind: { $0 == 0 ? "" : "\($0)" })
        let points = try #require(TileContents(encoded: bytes)).cells.flatMap(\.points)
        #expect(points.count == 200 && points[0].kind == "" && points[126].kind == "630")
        #expect(points[127...].allSatisfy { $0.kind == nil })
    }

    @Test("the bytes of the documentation")
    func documented() throws {
        var bytes: [UInt8] = [0x01, 0x01, 0x04, 0x76, 0x69, 0x65, 0x77, 0x02, 0x00, 0x0a, 0x01, 0x03]
        bytes += [0x01, 0x9a, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x1f, 0x81]
        bytes += [0xc0, 0xdc, 0xd1, 0xeb, 0xa8, 0x9f, 0x21, 0x5a]
        let contents = try #require(TileContents(encoded: bytes))
        #expect(contents.cells.map(\.count) == [5, 1] && contents.cells.map(\.number) == [0, 2])
        let point = try #require(contents.cells[1].points.first)
        #expect(point.kind == "view" && point.isFromSource && "\(point.coordinate)" == "-33.8568, 151.2153")
        var writer = TileWriter(cells: 2)
        writer.cell(0, count: 5, isListed: false)
        writer.cell(2, count: 1, isListed: true)
        writer.point(point.id, at: point.coordinate, kind: "view", isFromSource: true)
        #expect(writer.bytes == bytes)
    }

    @Test("damaged bytes are refused, or are other contents; nothing else happens")
    func damaged() throws {
        var random = SplitMix64(seed: 8)
        let (bytes, _) = try written((0..<60).map { cell($0 * 9, $0 % 6 + 1) })
        for count in 0..<bytes.count { #expect(TileContents(encoded: Array(bytes[..<count])) == nil) }
        #expect(TileContents(encoded: bytes + [0]) == nil)
        #expect(TileContents(encoded: [2] + bytes.dropFirst()) == nil)
        var refused = 0
        for _ in 0..<5_000 {
            var other = bytes
            for _ in 0...random.next() % 3 {
                other[Int(random.next() % UInt64(other.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let contents = TileContents(encoded: other) else {
                refused += 1
                continue
            }
            #expect(contents.cells.allSatisfy { $0.count > 0 && (0..<4_096).contains($0.number) })
        }
        #expect(refused > 500)
        // A count that no memory would hold, a cell after the last, an empty cell, a latitude beyond the pole.
        #expect(TileContents(encoded: [1, 0, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x1f]) == nil)
        #expect(TileContents(encoded: [1, 0, 1, 0x80, 0x20, 2]) == nil)
        #expect(TileContents(encoded: [1, 0, 1, 0, 0]) == nil)
        #expect(
            TileContents(encoded: [1, 0, 1, 0, 3] + [UInt8](repeating: 0, count: 17) + [0, 0, 0, 0x7f, 0, 0, 0, 0])
                == nil)
    }
}
