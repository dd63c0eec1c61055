// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import Monitoring
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import WebServer

@testable import Web

/// Few snapshots are in memory at once: the readers of the others wait.
@Suite("Turns of snapshots", .inTurn, .timeLimit(.minutes(5)))
struct SnapshotTurnTests {
    @Test("no more begin than may be; the end of one, or nobody's wish any more, makes room")
    func bound() async throws {
        var options = WebOptions(ListenAddress(host: "127.0.0.1", port: 0))
        options.snapshots = 2
        let hub = ChangeHub(options, WebMetrics(MetricsRegistry()))
        try await hub.waitForSnapshot()
        #expect(hub.beginSnapshot())
        #expect(!hub.beginSnapshot())
        let gone = Task { try await hub.waitForSnapshot() }
        gone.cancel()
        await #expect(throws: CancellationError.self) { try await gone.value }
        let next = Task { try await hub.waitForSnapshot() }
        hub.endSnapshot()
        try await next.value
        #expect(!hub.beginSnapshot())
        hub.endSnapshot()
        #expect(hub.beginSnapshot())
    }

    @Test("a reader gives its place back as soon as it has its snapshot, and also if it hangs up before")
    func placeIsGivenBack() async throws {
        try await withStage {
            $0.snapshots = 1
        } _: { stage, client in
            let here = try Coordinate(latitude: 1, longitude: 2)
            _ = try await client.add(try LandmarkDraft(name: "One", coordinate: here))
            let early = try EventReader(port: stage.port, "/v1/changes?snapshot")
            early.cut()
            var readers: [EventReader] = []
            for _ in 0..<3 {
                // All stay open.
                let reader = try EventReader(port: stage.port, "/v1/changes?snapshot")
                readers.append(reader)
                let events = try await reader.wait { $0.contains { $0.name == "synced" } }
                #expect(events.contains { $0.name == "synced" })
            }
            #expect(readers.allSatisfy { !$0.hasEnded })
        }
    }
}
