// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// Measures the time from a write to a filtered subscriber, interleaved with the cost of its parts without Waymark.
struct LatencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency", abstract: "The time from a write to its receipt, one write at a time.")

    @Option(help: "Rounds.") var rounds = 20
    @Option(help: "Writes of each kind in a round.") var writes = 200

    func run() async throws {
        let services = try Services()
        defer { services.end() }
        let times = try await ReceiptTimes(services)
        var all = ReceiptTimes.Round()
        for _ in 0..<rounds { all.add(try await times.round(writes: writes)) }
        print("payload of \(times.payload.count) bytes; \(rounds) rounds of \(writes)")
        print("bare commit                 \(all.bareDisk.text)")
        print("bare PUB/SUB                \(all.bareBus.text)")
        print("bare commit + PUB/SUB       \(all.bareBoth.text)")
        print("write to receipt, sockets   \(all.heard.text)")
        print("write to receipt            \(all.told.text)")
        print("write to acknowledgement    \(all.acknowledged.text)")
        for share in [0.5, 0.99] {
            let whole = all.bareBoth.percentile(share)
            print(
                String(
                    format: "p%.0f is %.2f times bare commit + PUB/SUB; at plain sockets %.2f times", share * 100,
                    all.told.percentile(share) / whole, all.heard.percentile(share) / whole))
        }
        await times.close()
    }
}

extension ReceiptTimes.Round {
    mutating func add(_ other: ReceiptTimes.Round) {
        bareBus.add(other.bareBus)
        bareDisk.add(other.bareDisk)
        bareBoth.add(other.bareBoth)
        heard.add(other.heard)
        acknowledged.add(other.acknowledged)
        told.add(other.told)
    }
}
