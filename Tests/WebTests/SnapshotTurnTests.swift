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
@Suite("Turns of snapshots", .inTurn)
struct SnapshotTurnTests {
    @Test("no more begin than may be; the end of one, or nobody's wish any more, makes room")
    func bound() async throws {
        var options = WebOptions(ListenAddress(host: "127.0.0.1", port: 0))
        options.snapshots = 2
        let hub = ChangeHub(options, WebMetrics())
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

    @Test("readers who do not read hold no turn: the snapshot of another one comes meanwhile")
    func slowReadersStopNobody() async throws {
        try await withStage {
            $0.snapshots = 1
            $0.unread = .seconds(200)
        } _: { stage, client in
            // More than the buffers of a connection take.
            let link = "https://a.example/" + String(repeating: "a", count: 1_900)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in 0..<32 {
                    group.addTask {
                        for number in 0..<125 {
                            let here = try Coordinate(latitude: Double(part), longitude: Double(number))
                            _ = try await client.add(try LandmarkDraft(name: "L", coordinate: here, link: link))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let silent = try (0..<2).map { _ in try SilentReader(port: stage.port, "/v1/changes?snapshot") }
            for _ in 0..<2 {
                let reader = try EventReader(port: stage.port, "/v1/changes?snapshot&kind=none")
                #expect(try await reader.wait { $0.contains { $0.name == "synced" } }.last?.name == "synced")
                reader.cut()
            }
            for reader in silent { reader.close() }
        }
    }

    @Test("what changes while a snapshot is read is told before it is complete")
    func changesMeanwhile() async throws {
        try await withStage { stage, client in
            var ids: [Landmark.ID] = []
            for number in 0..<600 {
                let here = try Coordinate(latitude: Double(number % 80), longitude: 10)
                ids.append(try await client.add(try LandmarkDraft(name: "L\(number)", coordinate: here)).id)
            }
            // Their names are not in ids' order everywhere: whichever page they were on, the end is the same.
            let reading = Task { [ids] in
                for id in ids.prefix(40) {
                    _ = try await client.edit(id, try LandmarkEdit(name: "new"))
                    _ = try await client.remove(id)
                }
            }
            var counts: [Int] = []
            for _ in 0..<5 {
                let reader = try EventReader(port: stage.port, "/v1/changes?snapshot")
                let events = try await reader.wait { $0.contains { $0.name == "synced" } }
                reader.cut()
                var state: Set<String> = []
                for event in events.prefix(while: { $0.name != "synced" }) {
                    #expect(event.id == nil)
                    let id = try #require(event.data.firstMatch(of: #/"id":"([^"]+)"/#)).output.1
                    if event.name == "landmark" { state.insert(String(id)) } else { state.remove(String(id)) }
                }
                let id = events.first { $0.name == "synced" }?.id
                let synced = try #require(id.flatMap(Position.init(eventID:)))
                // Each of the forty is one edit and then one removal.
                let removed = synced.rev < 600 ? 0 : Int(synced.rev - 600) / 2
                #expect(state.count == 600 - removed)
                counts.append(state.count)
            }
            try await reading.value
            #expect(counts.allSatisfy { $0 >= 560 })
        }
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
