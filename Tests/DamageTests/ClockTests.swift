// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Landmarks
import SwiftProtobuf
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("Clocks that jump", .timeLimit(.minutes(5)))
struct ClockTests {
    private static let library: String? = {
        let named = ProcessInfo.processInfo.environment["WAYMARK_FAKETIME"]
        let places = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map { "/usr/lib/\($0)/faketime/libfaketime.so.1" }
        return ([named].compactMap { $0 } + places).first { FileManager.default.fileExists(atPath: $0) }
    }()

    @Test(
        "17 storage's clock jumps by a second and by a day, both ways: order, dedup and liveness go on",
        .enabled(
            if: library != nil, "row 17 needs libfaketime: apt-get install faketime, or name it in WAYMARK_FAKETIME"))
    func row17() async throws {
        try await withStage { stage in
            let clock = URL(fileURLWithPath: stage.folder.path + "/clock")
            func set(_ offset: String) throws { try Data("\(offset)\n".utf8).write(to: clock, options: .atomic) }
            try set("+0")
            stage.cluster.storageEnvironment = [
                "LD_PRELOAD": try #require(Self.library), "FAKETIME_TIMESTAMP_FILE": clock.path,
                "FAKETIME_NO_CACHE": "1",
                // As with clocks that are set: the monotonic one goes on.
                "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
            ]
            try stage.start()
            let client = try await stage.client()
            let follower = try Follower(client)
            let other = try Follower(client, matching: FilterSpec(kinds: ["pub"]))
            (stage.followers["all"], stage.followers["pubs"]) = (follower, other)
            try await until("the feeds begin") { follower.hasBegun && other.hasBegun }
            let body =
                try WireRequest.with {
                    $0.add = .with {
                        $0.draft = .with {
                            $0.name = "once"
                            $0.lat = 1
                            $0.lng = 2
                        }
                    }
                }.serializedBytes() as [UInt8]
            let link = try RawLink(stage.cluster.commandEndpoint)
            let first = try link.ask(try RawLink.header(1), body)
            #expect(first.written.rev > 0)
            var dates: [Double] = []
            for offset in ["+1", "-1", "+0", "+1d", "-1d", "+0"] {
                try set(offset)
                for number in 0..<15 {
                    let written = try #require(
                        try await stage.ledger.add(client, kind: number % 3 == 0 ? "pub" : "well"))
                    guard number == 0 else { continue }
                    let entry = try await client.show(written.id).entries.last
                    dates.append(Double(entry?.at ?? 0) / 1_000 - Date().timeIntervalSince1970)
                }
                // The same request again, at another time: the same answer, and nothing is done.
                let again = try link.ask(try RawLink.header(1), body)
                #expect(again == first, "\(offset)")
                let head = try stage.cluster.head()
                // Within three beacons: the feed has not been quiet for longer.
                try await until("the feeds hear of \(head)", within: .seconds(10)) {
                    follower.marked >= head && other.marked >= head
                }
            }
            // It did jump, as far as anybody sees.
            let expected: [Double] = [1, -1, 0, 86_400, -86_400, 0]
            for (date, offset) in zip(dates, expected) {
                #expect(abs(date - offset) < 60)
            }
            #expect(follower.lost == 0 && other.lost == 0)
            let counts = try await stage.judge(ignoring: "nobody asked for this: added once").counts
            print(
                "row 17: \(counts.acknowledged) acknowledged over 6 jumps, dates off by \(dates.map { Int($0.rounded()) })"
            )
            await client.close()
        }
    }
}
