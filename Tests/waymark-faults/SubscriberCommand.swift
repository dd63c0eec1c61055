// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ChangeFeed
import FaultKit
import Foundation
import Glibc
import Landmarks
import WaymarkClient

/// Follows several feeds in one process. After a restart each feed continues after the last change in its history.
struct SubscriberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "subscriber", shouldDisplay: false)

    @Option var name: String
    @Option var directory: String
    @Option var connect: String
    /// The number of the first feed, which decides its filter.
    @Option var first = 0
    @Option var feeds = 10
    /// The average number of items after which a feed is closed and resumed at the same position.
    @Option var patience: UInt64 = 20_000
    /// After a stop the subscriber continues to the head in the file `head`, unless a feed makes no progress for this
    /// many seconds.
    @Option var quiet = 20
    /// Whether every feed begins with a snapshot; otherwise chance decides.
    @Flag var snapshots = false

    func run() async throws {
        let path = "\(directory)/\(name).feeds"
        let positions = try History.positions(path)
        let recorder = try Recorder(path)
        recorder.flushAlways()
        let client = try await WaymarkClient(.init(endpoint: connect, timeout: .seconds(10)))
        let stop = StopSignal()
        let all = (0..<feeds).map {
            Feed(
                number: $0, filter: World.filter(first + $0), position: positions[$0], recorder: recorder,
                patience: patience, beginsWithSnapshot: snapshots)
        }
        let tasks = all.map { feed in Task { await feed.follow(client) } }
        let stats = try Recorder("\(directory)/\(name).stats")
        stats.flushAlways()
        while !stop.isGiven {
            try await Task.sleep(for: .milliseconds(250))
            stats.record("\(getpid()) \(await client.feedCounters.pulls)")
        }
        let text = (try? String(contentsOfFile: "\(directory)/head", encoding: .utf8)) ?? "0"
        let head = UInt64(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        var progress = all.map { ($0.rev, ContinuousClock.now) }
        while all.contains(where: { $0.rev < head }) {
            try await Task.sleep(for: .milliseconds(50))
            let now = ContinuousClock.now
            for (index, feed) in all.enumerated() where feed.rev >= head || feed.rev != progress[index].0 {
                progress[index] = (feed.rev, now)
            }
            if progress.contains(where: { $0.1 + .seconds(quiet) < now }) { break }
        }
        stats.record("\(getpid()) \(await client.feedCounters.pulls)")
        stats.flush()
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        recorder.flush()
        await client.close()
        if all.contains(where: { $0.rev < head }) { throw ExitCode(3) }
    }
}
