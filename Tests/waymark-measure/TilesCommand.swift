// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CShims
import Foundation
import Geodesy
import Landmarks
import WaymarkClient
import WaymarkLoad
import WaymarkProtocol

/// Measures the index of map tiles in memory or, with an endpoint, the tiles of a query service that has landmarks.
struct TilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tiles", abstract: "Map tiles: the time and size of each zoom, and memory for each landmark.")

    @Option(help: "Number of landmarks in the index in memory.") var landmarks = 1_000_000
    @Option(help: "Tiles of each zoom.") var tiles = 500
    @Option(help: "The greatest zoom.") var zoom: UInt32 = 14
    @Option(help: "A query service's endpoint; without it, the index in memory.") var endpoint: String?
    @Option(help: "The seed of the places.") var seed: UInt64 = 1

    func run() async throws {
        if let endpoint {
            let client = try await WaymarkClient(.init(endpoint: endpoint, user: "measure", timeout: .seconds(60)))
            let begun = ContinuousClock.now
            _ = try await client.tile(MapTile(zoom: 0, column: 0, row: 0)!)
            print("the first tile: \((ContinuousClock.now - begun) / .milliseconds(1)) ms")
            for zoom in 0...zoom {
                var (times, most) = (Sample(), 0)
                for tile in places(of: zoom) {
                    let begun = ContinuousClock.now
                    let answer = try await client.tile(tile)
                    times.add(ContinuousClock.now - begun)
                    most = max(most, answer.contents?.cells.count ?? 0)
                }
                print("zoom \(zoom)\t\(times.text)  at most \(most) cells")
            }
            return await client.close()
        }
        measureIndex()
    }

    private func measureIndex() {
        var world = LoadWorld(seed: seed, stream: 0)
        let codes = (0..<landmarks).compactMap { _ in WebMercator.code(of: world.position()) }
        var index = TileIndex()
        let before = Self.memory
        var begun = ContinuousClock.now
        for (number, code) in codes.enumerated() { index.insert(UInt32(number), at: code) }
        let filling = (ContinuousClock.now - begun) / .milliseconds(1)
        let bytes = Double(Self.memory - before) / Double(max(1, codes.count))
        print(String(format: "filled with %d in %.0f ms; %.1f bytes for each", codes.count, filling, bytes))
        begun = ContinuousClock.now
        for (number, code) in codes.enumerated().prefix(100_000) {
            index.remove(UInt32(number), at: code)
            index.insert(UInt32(number), at: codes[(number &* 7_919) % codes.count])
            index.stamp(code, UInt32(number), with: UInt64(number))
        }
        print(String(format: "a move takes %.2f us", (ContinuousClock.now - begun) / .microseconds(1) / 100_000))
        for zoom in 0...zoom {
            var (times, most, largest) = (Sample(), 0, 0)
            for tile in places(of: zoom) {
                let begun = ContinuousClock.now
                let cells = index.cells(of: tile)
                let size = Self.written(cells).count
                times.add(ContinuousClock.now - begun)
                (most, largest) = (max(most, cells.count), max(largest, size))
            }
            print("zoom \(zoom)\t\(times.text)  at most \(most) cells, \(largest) bytes")
        }
    }

    /// Tiles with landmarks in them, drawn as landmarks are.
    private func places(of zoom: UInt32) -> [MapTile] {
        var world = LoadWorld(seed: seed, stream: 1)
        return (0..<tiles).compactMap { _ in
            WebMercator.code(of: world.position()).map { MapTile(zoom: zoom, containing: $0) }
        }
    }

    private static func written(_ cells: [TileCell]) -> [UInt8] {
        let listed = TileWriter.listedCount(cells)
        var writer = TileWriter(cells: cells.count)
        for cell in cells {
            let payloads = cell.count <= listed ? cell.payloads : nil
            writer.cell(cell.number, count: cell.count, isListed: payloads != nil)
            for payload in payloads ?? [] {
                let id = UUIDv7(high: 1, low: UInt64(payload))
                if let origin = Coordinate.origin {
                    writer.point(id, at: origin, kind: "view", isFromSource: false)
                }
            }
        }
        return writer.bytes
    }

    /// The bytes that this process has in memory.
    static var memory: Int {
        // The heap may hold freed memory, which would be taken first.
        waymark_trim_heap()
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4_096 : 0
    }
}

extension Coordinate {
    fileprivate static let origin = try? Coordinate(latitude: 0, longitude: 0)
}
