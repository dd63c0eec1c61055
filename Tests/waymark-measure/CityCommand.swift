// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FaultKit
import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import TestSupport
import WaymarkClient
import WaymarkProtocol

/// Measures the bytes that a subscriber of one city receives, and how soon it notices a lost message.
struct CityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "city", abstract: "The bytes of a subscriber of one city among a million landmarks.")

    @Option(help: "Number of landmarks in the world.") var landmarks = 1_000_000
    @Option(help: "Number of them in the city, spread over the whole ingest.") var city = 1_000

    func run() async throws {
        let proxyPort = try Ports.free()
        let services = try Services(advertise: proxyPort)
        defer { services.end() }
        let proxy = try TCPProxy(port: proxyPort, to: services.changesPort)
        let writer = try await services.client()
        let reader = try await services.client()
        let centre = try Coordinate(latitude: -33.8568, longitude: 151.2153)
        let filter = FeedFilter(area: try .circle(at: centre, radius: 20_000))
        let start = try await writer.hello().position
        var feed = reader.feed(since: .now, matching: filter).makeAsyncIterator()
        guard try await feed.next() != nil else { return }
        let begun = ContinuousClock.now
        let expected = Task { try await ingest(writer, centre) }
        var (count, bytes) = (0, 0)
        while count < city, let item = try await feed.next() {
            guard case .change(let told) = item else { continue }
            count += 1
            bytes += told.change.encoded.count
        }
        try await expected.value
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        let (passed, head) = (proxy.passed, try await writer.hello().position.rev)
        let all = try await logBytes(writer, after: start, sample: 20_000) * Double(head)
        print("\(head) changes in \(Int(seconds)) s, about \(Int(all / 1_048_576)) MiB on the feed of everything")
        print("the city: \(count) changes, \(bytes) bytes of them, \(passed) bytes at the subscriber's socket")
        print(
            String(
                format: "%.0f bytes at the socket for each of its changes, beacons included; %.5f of everything",
                Double(passed) / Double(count), Double(passed) / all))
        try await lose(writer, proxy, &feed, centre)
        await writer.close()
        await reader.close()
        proxy.close()
    }

    private func ingest(_ client: WaymarkClient, _ centre: Coordinate) async throws {
        var random = SplitMix64(seed: 1)
        var done = 0
        while done < landmarks {
            let rows = min(1_000, landmarks - done)
            let request = WireRequest.with { request in
                request.ingest.source = "world"
                request.ingest.rows = (done..<done + rows).map { number in
                    let isCity = number % (landmarks / city) == 0
                    let place =
                        isCity
                        ? Geodesic.destination(
                            from: centre, bearing: random.unit() * 360, distance: random.unit() * 19_000)
                        // A place in the northern half of the world.
                        : Geodesic.destination(
                            from: centre, bearing: 0, distance: 5_000_000 + random.unit() * 5_000_000)
                    let draft = WireLandmarkDraft.with {
                        ($0.name, $0.lat, $0.lng) = ("Landmark \(number)", place.latitude, place.longitude)
                    }
                    return WireSourceRow("\(number)", draft)
                }
            }
            _ = try await client.send(request)
            done += rows
        }
    }

    /// The average size of a change in the log, in bytes.
    private func logBytes(_ client: WaymarkClient, after start: Position, sample: Int) async throws -> Double {
        let page = try await client.changes(after: start, limit: sample)
        let sizes = page.changes.map { $0.change.encoded.count }
        return Double(sizes.reduce(0, +)) / Double(max(1, sizes.count))
    }

    /// Drops one message, the last one, and measures when its change arrives nevertheless.
    private func lose(
        _ writer: WaymarkClient, _ proxy: TCPProxy, _ feed: inout FeedSequence.AsyncIterator, _ centre: Coordinate
    ) async throws {
        var sample = Sample()
        for round in 0..<20 {
            proxy.drop(messages: 1)
            let before = proxy.dropped
            _ = try await writer.add(try LandmarkDraft(name: "lost \(round)", coordinate: centre))
            let begun = ContinuousClock.now
            while let item = try await feed.next() {
                if case .change(let told) = item, told.change.landmark.name == "lost \(round)" { break }
            }
            // The dropped message may have been a beacon.
            if proxy.dropped > before { sample.add(ContinuousClock.now - begun) }
        }
        print("a change whose message was dropped came \(sample.text) later; a beacon comes each second")
    }
}
