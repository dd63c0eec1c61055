// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Glibc
import Landmarks
import TestProcess
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("The order of map tiles, as the programs make it", .inTurn)
struct ProcessTilesTests {
    /// The metric is 1 while a request finds the order made: then the first one does not make it.
    private func areReady(_ port: UInt16) async throws -> Bool {
        try await PlainHTTP.request(port: port, "/metrics").text.contains("\nwaymark_query_tiles_ready 1\n")
    }

    /// On a busy machine its loop may take more than a second to tell the values: then those before are told.
    private func untilReady(_ port: UInt16) async throws {
        try await until("the order is made", within: .seconds(120)) { try await areReady(port) }
    }

    private func port(_ program: Child, after words: String) async throws -> UInt16 {
        let line = try await program.err.first { $0.contains(words) }
        let port = try #require(line.firstMatch(of: /127\.0\.0\.1:([0-9]+)/)).output.1
        return try #require(UInt16(port))
    }

    @Test("with the map, it is made at the start; without, by the first request", arguments: [true, false])
    func prepared(hasMap: Bool) async throws {
        try await withBench { bench in
            let pair = try await ProcessPair(bench)
            try await withClient(try await pair.client()) { client in
                for number in 0..<50 {
                    _ = try await client.add(
                        try LandmarkDraft(
                            name: "Place \(number)", coordinate: try Coordinate(latitude: -33, longitude: 151)))
                }
                var flags = ["--config", "query.yaml", "--listen", "ipc://\(bench.path)/other.ipc"]
                flags += ["--http-listen", "127.0.0.1:0"] + (hasMap ? ["--web-listen", "127.0.0.1:0"] : [])
                let other = try bench.start("waymark-query", flags)
                let metrics = try await port(other, after: "metrics listening")
                _ = try await other.err.first { $0.contains("query ready") }
                if hasMap {
                    try await untilReady(metrics)
                } else {
                    #expect(try await !areReady(metrics))
                    let asking = try await WaymarkClient(
                        .init(endpoint: "ipc://\(bench.path)/other.ipc", user: "ann", timeout: .seconds(60)))
                    try await withClient(asking) { asking in
                        let world = try #require(MapTile(zoom: 0, column: 0, row: 0))
                        let contents = try await asking.tile(world).contents
                        #expect(contents?.cells.map(\.count) == [50])
                    }
                    try await untilReady(metrics)
                }
                other.send(SIGTERM)
                #expect(try await other.ended() == 0)
            }
        }
    }
}
