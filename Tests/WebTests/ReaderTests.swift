// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import Monitoring
import TestTurns
import TestWeb
import Testing
import WaymarkClient

@testable import Web

/// What readers of changes cost, and what is counted.
@Suite(.inTurn)
struct ReaderTests {
    private static func add(_ client: WaymarkClient, _ count: Int, note: String? = nil) async throws {
        for number in 0..<count {
            let here = try Coordinate(latitude: Double(number % 80), longitude: 10)
            _ = try await client.add(try LandmarkDraft(name: "L\(number)", coordinate: here), note: note)
        }
    }

    private static func value(_ name: String, _ labels: [String] = [], in stage: WebStage) -> Double? {
        let family = stage.metrics.families.first { $0.definition.name == name }
        switch family?.series.first(where: { $0.labels == labels })?.value {
        case .number(let number): return number
        case .histogram(let counts, _): return Double(counts.reduce(0, +))
        case nil: return nil
        }
    }

    @Test
    func requestsReadersAndEventsAreCounted() async throws {
        try await withStage {
            $0.readers = 1
            $0.ringCount = 1
        } _: { stage, client in
            _ = try await stage.ask("GET", "/v1/status")
            _ = try await stage.ask("GET", "/v1/status?odd=1")
            _ = try await stage.ask("GET", "/v1/landmarks/x")
            _ = try await stage.ask("GET", "/nowhere")
            // They may be counted a moment after the answer.
            for (route, status) in [("/v1/status", "2xx"), ("/v1/status", "4xx"), ("/v1/landmarks/{id}", "4xx")] {
                let labels = [route, status]
                try await until { Self.value("waymark_web_requests_total", labels, in: stage) == 1 }
            }
            try await until { Self.value("waymark_web_requests_total", ["other", "4xx"], in: stage) == 1 }
            try await until { Self.value("waymark_web_request_seconds", ["/v1/status"], in: stage) == 2 }
            try await Self.add(client, 5)
            let reader = try EventReader(port: stage.port, "/v1/changes?since=0")
            // Beacons are events too.
            let changes = try await reader.wait { $0.count { $0.name == "added" } >= 5 }
            #expect(changes.count { $0.name == "added" } == 5)
            #expect(Self.value("waymark_web_readers", in: stage) == 1)
            _ = try await stage.ask("GET", "/v1/changes?since=0")
            try await until { Self.value("waymark_web_readers_refused_total", in: stage) == 1 }
            try await until { Self.value("waymark_web_events_total", in: stage) == 5 }
            #expect(Self.value("waymark_web_log_reads_total", in: stage) ?? 0 > 0)
            #expect(Self.value("waymark_web_answer_bytes_total", in: stage) ?? 0 > 1_000)
            reader.cut()
            try await until { Self.value("waymark_web_readers", in: stage) == 0 }
            let future = try EventReader(port: stage.port, "/v1/changes?since=99")
            #expect(try await future.wait { !$0.isEmpty }.first?.name == "compacted")
            try await until {
                Self.value("waymark_web_streams_ended_total", ["future_revision"], in: stage) == 1
            }
        }
    }

    @Test
    func aClientThatDoesNotReadGivesItsPlaceBack() async throws {
        try await withStage {
            $0.unread = .milliseconds(500)
        } _: { stage, client in
            let note = String(repeating: "n", count: 9_000)
            try await Self.add(client, 300, note: note)
            let silent = try SilentReader(port: stage.port, "/v1/changes?since=0")
            // On a busy machine its time may be over before this looks.
            try await until {
                Self.value("waymark_web_readers", in: stage) == 1
                    || Self.value("waymark_web_stalled_total", in: stage) == 1
            }
            // What fits into the kernel's buffers is sent in any case.
            for _ in 0..<20 where Self.value("waymark_web_stalled_total", in: stage) != 1 {
                try await Self.add(client, 50, note: note)
            }
            try await until { Self.value("waymark_web_stalled_total", in: stage) == 1 }
            try await until { Self.value("waymark_web_readers", in: stage) == 0 }
            silent.close()
        }
    }

    @Test
    func anOlderCopyOfTheDatabaseIsNoticedOnResume() async throws {
        try await withStage { stage, client in
            try await Self.add(client, 5)
            await stage.stopStorage()
            let (data, old) = (stage.directory + "/data", stage.directory + "/old")
            try FileManager.default.copyItem(atPath: data, toPath: old)
            try await stage.startStorage()
            try await Self.add(client, 5)
            let reader = try EventReader(port: stage.port, "/v1/changes?since=5")
            let last = try await reader.wait { $0.contains { $0.name == "added" && $0.id?.hasSuffix("-10") == true } }
                .last { $0.name == "added" }?.id
            reader.cut()
            await stage.stopStorage()
            try FileManager.default.removeItem(atPath: data)
            try FileManager.default.copyItem(atPath: old, toPath: data)
            try await stage.startStorage()
            // More revisions than before, so that the number alone looks like the same history. By another client: the
            // first one has seen revisions that are gone.
            let other = try await stage.client()
            try await Self.add(other, 10)
            await other.close()
            let again = try EventReader(
                port: stage.port, "/v1/changes", headers: ["last-event-id": try #require(last)])
            // A beacon may come before the service itself has noticed.
            let told = try await again.wait { $0.contains { $0.name != "beacon" } }.first { $0.name != "beacon" }
            #expect(told?.name == "compacted")
            #expect(told?.data.contains("epoch_changed") == true)
        }
    }
}
