// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import WaymarkClient
import WaymarkProtocol

/// How long a write takes to a filtered subscriber, beside what its parts cost without Waymark, interleaved.
struct LatencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency", abstract: "From a write to its receipt, one at a time.")

    @Option(help: "Rounds.") var rounds = 20
    @Option(help: "Writes of each kind in a round.") var writes = 200

    func run() async throws {
        let services = try Services()
        defer { services.end() }
        let writer = try await services.client()
        let reader = try await services.client()
        let harbour = try Coordinate(latitude: -33.8568, longitude: 151.2153)
        let filter = FeedFilter(area: try .circle(at: harbour, radius: 2_000))
        var feed = reader.changes(matching: filter).makeAsyncIterator()
        let draft = try LandmarkDraft(name: "Sydney Opera House", coordinate: harbour, kind: "theatre")
        // The feed has begun when something of it arrives.
        let first = Task {
            try await { () async throws -> [UInt8] in
                while !Task.isCancelled {
                    _ = try await writer.add(draft)
                    try? await Task.sleep(for: .milliseconds(20))
                }
                return []
            }()
        }
        guard let example = try await feed.next() else { return }
        first.cancel()
        _ = try? await first.value
        let position = try await writer.hello().position
        var reached = example.position.rev
        while reached < position.rev, let next = try await feed.next() { reached = next.position.rev }

        let payload: [UInt8] = try WireChange(example.change).serializedBytes()
        let record: [UInt8] = try WireLandmark(example.change.landmark).serializedBytes()
        let bus = BareBus()
        let disk = BareDisk(path: services.directory + "/bare.sqlite")
        // A place that the subscriber above does not hear of.
        let mountain = try LandmarkDraft(
            name: "Table Mountain Top", coordinate: try Coordinate(latitude: -33.9628, longitude: 18.4098),
            kind: "theatre")
        let there = FeedFilter(area: try .circle(at: mountain.coordinate, radius: 2_000))
        let plain = try PlainPath(
            commands: services.commands, changes: "tcp://127.0.0.1:\(services.changesPort)",
            topic: FeedTopic(carrying: there), draft: mountain)
        var (bareBus, bareDisk, bareBoth, acknowledged, told) = (Sample(), Sample(), Sample(), Sample(), Sample())
        var heard = Sample()
        for _ in 0..<rounds {
            for _ in 0..<writes {
                let (one, other) = (disk.commit(record: record, payload: payload), bus.send(payload))
                bareDisk.add(one)
                bareBus.add(other)
                bareBoth.add(one + other)
            }
            for _ in 0..<writes { heard.add(plain.write()) }
            for _ in 0..<writes {
                let begun = ContinuousClock.now
                async let written = writer.add(draft)
                guard try await feed.next() != nil else { return }
                told.add(ContinuousClock.now - begun)
                _ = try await written
                acknowledged.add(ContinuousClock.now - begun)
            }
        }
        print("payload of \(payload.count) bytes; \(rounds) rounds of \(writes)")
        print("bare commit                 \(bareDisk.text)")
        print("bare PUB/SUB                \(bareBus.text)")
        print("bare commit + PUB/SUB       \(bareBoth.text)")
        print("write to receipt, sockets   \(heard.text)")
        print("write to receipt            \(told.text)")
        print("write to acknowledgement    \(acknowledged.text)")
        for share in [0.5, 0.99] {
            let whole = bareBoth.percentile(share)
            print(
                String(
                    format: "p%.0f is %.2f times bare commit + PUB/SUB; at plain sockets %.2f times", share * 100,
                    told.percentile(share) / whole, heard.percentile(share) / whole))
        }
        plain.close()
        bus.close()
        disk.close()
        await writer.close()
        await reader.close()
    }
}
