// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import FaultKit
import Foundation
import Glibc
import WaymarkClient

/// Writes at the given rate as far as answers allow: attempts are counted, and the number in flight is bounded.
struct WriterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "writer", shouldDisplay: false)

    @Option var name: String
    @Option var directory: String
    @Option var connect: String
    @Option var rate: Double
    @Option var inflight = 512
    @Option var seed: UInt64 = 1
    /// The number of this start: each start numbers its requests anew.
    @Option var incarnation: UInt64 = 0

    func run() async throws {
        let recorder = try Recorder("\(directory)/\(name).writes")
        recorder.flushAlways()
        let client = try await WaymarkClient(.init(endpoint: connect, user: name, timeout: .seconds(8)))
        let state = WriterState(name: name, incarnation: incarnation, seed: seed)
        let stop = StopSignal()
        let begun = ContinuousClock.now
        var attempted = 0.0
        let stats = try Recorder("\(directory)/\(name).stats")
        var told = begun
        await withDiscardingTaskGroup { group in
            while !stop.isGiven {
                let owed = rate * ((ContinuousClock.now - begun) / .seconds(1))
                while attempted < owed {
                    attempted += 1
                    guard state.enter(atMost: inflight) else { continue }
                    guard let request = state.next() else {
                        state.leave()
                        continue
                    }
                    group.addTask { await state.send(request, client, recorder) }
                }
                if told.duration(to: .now) > .milliseconds(200) {
                    told = .now
                    stats.record("\(incarnation) \(Int(attempted)) \(state.sent)", now: true)
                }
                try? await Task.sleep(for: .milliseconds(4))
            }
        }
        recorder.flush()
        await client.close()
        stats.record("\(incarnation) \(Int(attempted)) \(state.sent)", now: true)
    }
}
