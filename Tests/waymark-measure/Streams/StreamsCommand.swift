// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FaultKit
import Foundation
import LoadTest
import ServiceHost
import WaymarkClient

/// Measures what many streams of changes over HTTP cost, and whether each gets all its changes in time.
struct StreamsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streams", abstract: "Many readers of /v1/changes: bytes for each, losses, delays, near.",
        discussion: "Needs a descriptor for each stream, here and in the service: ulimit -n.")

    /// The time within which each change must have arrived, and the time between two beacons twice.
    private static let patience = Duration.seconds(11)

    @Option(help: "Number of streams.") var streams = 10_000
    @Flag(help: "Each stream has an area of its own; otherwise all follow everything.") var areas = false
    @Option(help: "The streams that get the same changes, with --areas.") var each = 20
    @Option(help: "Changes a second. Default: 1, or 500 with --areas.") var rate: Double?
    @Option(help: "Seconds of changes.") var seconds = 20
    @Option(help: "Number of landmarks in the world.") var landmarks = 28_303

    func validate() throws {
        guard streams > 0, each > 0, seconds > 0, landmarks > 0, rate ?? 1 > 0 else {
            throw ValidationError("All numbers are at least 1.")
        }
    }

    func run() async throws {
        OpenFiles.raiseLimit()
        guard OpenFiles.limit > streams + 64 else {
            throw ValidationError("This process may open \(OpenFiles.limit) files only: raise ulimit -n.")
        }
        let children = try Children()
        let interruption = Interruption(children)
        defer { children.end() }
        let stage = try Stage(children, "streams")
        _ = try await stage.fill(World(landmarks: landmarks, seed: 1))
        let port = try Ports.free()
        try stage.startQuery(web: port)
        try await stage.settle()
        let client = try await stage.client()
        print("near alone: \(try await near(client, seconds).text)")
        let before = stage.queryMemory
        let plan = StreamPlan(streams: streams, each: areas ? each : streams)
        let crowd = try StreamCrowd(plan, port: port, hasAreas: areas)
        let running = Task { try await LoadThread.run { try crowd.run() } }
        do {
            try await crowd.open()
            // By then each stream has sent a beacon.
            try await Task.sleep(for: Self.patience)
            let bytes = (stage.queryMemory - before) / Double(streams)
            print("\(streams) idle streams: \(Int(bytes)) bytes of the service for each")
            print("near beside idle streams: \(try await near(client, seconds).text)")
            async let written = write(client, plan, crowd)
            print("near beside changes: \(try await near(client, seconds).text)")
            print("\(try await written) changes were written in \(seconds) s")
            let deadline = ContinuousClock.now + Self.patience
            while !crowd.report.isComplete, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(50))
            }
            print(crowd.report.text)
        } catch {
            crowd.end()
            throw error
        }
        crowd.end()
        try await running.value
        await client.close()
        if let code = interruption.exitCode { throw ExitCode(code) }
    }

    /// One question after the other, with pauses, so that the generator takes no processor time from the service.
    private func near(_ client: WaymarkClient, _ seconds: Int) async throws -> Sample {
        var times = Sample()
        let end = ContinuousClock.now + .seconds(seconds)
        for place in World.questions(100_000, seed: 3) where ContinuousClock.now < end {
            let begun = ContinuousClock.now
            _ = try await client.near(place)
            times.add(ContinuousClock.now - begun)
            try await Task.sleep(for: .milliseconds(2))
        }
        return times
    }

    /// - Returns: the number of acknowledged changes.
    private func write(_ client: WaymarkClient, _ plan: StreamPlan, _ crowd: StreamCrowd) async throws -> Int {
        let (begun, rate) = (ContinuousClock.now, self.rate ?? (areas ? 500 : 1))
        let all = max(1, Int(rate * Double(seconds)))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<all {
                try await Task.sleep(until: begun + .seconds(Double(number) / rate), clock: .continuous)
                let site = try plan.site(plan.group(ofChange: number))
                let draft = try LandmarkDraft(name: crowd.writes(number), coordinate: site)
                group.addTask { _ = try await client.add(draft) }
            }
            try await group.waitForAll()
        }
        return all
    }
}
