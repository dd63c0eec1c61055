// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Foundation
import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient

@testable import WaymarkCLI

@Suite("A feed that cannot be reached", .inTurn)
struct ProcessFeedLossTests {
    @Test("tail and watch say so once, follow the log, and go back to the feed when it opens")
    func tail() async throws {
        try await withBench { bench in
            func endpoint(_ name: String) -> String { "ipc://\(bench.path)/\(name)" }
            try bench.write("data: data\nlisten: \(endpoint("s"))\nchanges: \(endpoint("c"))\n", to: "storage.yaml")
            _ = try await bench.start("waymark-storage", ["--config", "storage.yaml"]).err.next {
                $0.contains("storage ready")
            }
            try bench.write(
                "listen: \(endpoint("q"))\nstorage: \(endpoint("s"))\n"
                    + "relay: { listen: \"\(endpoint("r"))\", advertise: \"\(endpoint("closed"))\" }\n",
                to: "query.yaml")
            _ = try await bench.start("waymark-query", ["--config", "query.yaml"]).err.next {
                $0.contains("query ready")
            }
            let variables = ["WAYMARK_CONNECT": endpoint("q"), "WAYMARK_USER": "ann"]
            let tail = try bench.start("waymark", ["tail"], environment: variables)
            let json = try bench.start("waymark", ["tail", "-o", "json", "--control"], environment: variables)
            let watch = try bench.start("waymark", ["watch", "--near", "0,0"], environment: variables)
            let sentence = "The feed at \(endpoint("closed")) is on the service's own machine"
            _ = try await tail.err.next { $0.contains(sentence) }
            _ = try await watch.err.next { $0.contains(sentence) }
            let lost = try ProcessJSON(try await json.out.next { $0.contains("\"lost\"") })
            #expect(lost["endpoint"] == endpoint("closed") && lost["cause"] == "unreachable")
            try await withClient(
                try await WaymarkClient(.init(endpoint: endpoint("q"), user: "ann", timeout: .seconds(60)))
            ) { client in
                func add(_ name: String) async throws {
                    let here = try Coordinate(latitude: 0, longitude: 0)
                    _ = try await client.add(LandmarkDraft(name: name, coordinate: here))
                    _ = try await tail.out.next { $0.contains(name) }
                }
                var times: [Duration] = []
                for number in 0..<20 {
                    let begun = ContinuousClock.now
                    try await add("polled \(number)")
                    times.append(ContinuousClock.now - begun)
                }
                // A page every three seconds would bring half of them after one and a half.
                #expect(times.sorted()[10] < .milliseconds(1_500), "\(times)")
                // Longer than the silence after which it was said.
                try await Task.sleep(for: .seconds(4))
                for program in [tail, watch] {
                    #expect(program.err.all.count { $0.contains("The feed at") } == 1)
                }
                try FileManager.default.createSymbolicLink(
                    atPath: "\(bench.path)/closed", withDestinationPath: "\(bench.path)/r")
                for program in [tail, watch] { _ = try await program.err.next { $0.contains("live again") } }
                _ = try await json.out.next { $0.contains("\"resumed\"") }
                for number in 0..<20 { try await add("live \(number)") }
            }
            let names = tail.out.all.compactMap { line in
                ["polled", "live"].firstNonNil { name in
                    line.range(of: "\(name) [0-9]+", options: .regularExpression).map { String(line[$0]) }
                }
            }
            #expect(names == (0..<20).map { "polled \($0)" } + (0..<20).map { "live \($0)" })
        }
    }

    @Test("each sentence names the endpoint, and what to do")
    func sentences() {
        let endpoint = "tcp://10.0.0.5:7422"
        for cause in [FeedLoss.Cause.unreachable, .mute, .keyRefused, .otherKey, .keyNeeded, .silent] {
            let sentence = FeedLoss(endpoint: endpoint, cause: cause).sentence
            #expect(sentence.contains(endpoint) && sentence.contains("change log is read"))
            #expect(cause == .silent || ["advertise", "waymark login"].contains { sentence.contains($0) })
        }
    }
}

extension Sequence {
    fileprivate func firstNonNil<Value>(_ body: (Element) -> Value?) -> Value? {
        for element in self { if let value = body(element) { return value } }
        return nil
    }
}
