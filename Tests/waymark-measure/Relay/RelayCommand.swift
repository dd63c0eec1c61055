// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FaultKit
import Foundation
import Landmarks
import LoadTest
import WaymarkClient
import WaymarkLoad

/// Measures what the article Scaling computes with: by processor time, which depends less on the hour than rates do.
struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "A relay: processor time and memory for each subscriber, and for each question."
    )

    @Option(help: "Seconds of each measurement.") var seconds = 5.0
    @Option(help: "Rounds of everything.") var rounds = 3
    @Option(help: "The greatest number of subscribers.") var most = 1_000

    func run() async throws {
        let children = try Children()
        let interruption = Interruption(children)
        defer { children.end() }
        let published = "tcp://127.0.0.1:\(try Ports.free())"
        let stage = try Stage(
            children, "relay", settings: "relay:\n  listen: \(published)\n  memory: 64KiB\n")
        try stage.startQuery()
        for round in 1...rounds {
            var before: (cpu: Double, memory: Double)?
            for (count, rate) in [(0, 100.0), (1, 100), (16, 100), (128, 100), (1_000, 100), (1_000, 1_000)]
            where count <= most {
                let used = try await publishing(to: count, rate, stage, published, children)
                if count == 0 { before = (used.cpu, used.memory) }
                print(used.text(round, count, rate, beside: before))
                if let code = interruption.exitCode { throw ExitCode(code) }
            }
            try await questions(round, stage)
        }
    }

    private struct Used {
        /// Of the relay for each change, in microseconds.
        var cpu: Double
        /// Of the relay, in bytes.
        var memory: Double
        var changes: Double
        var count: DrainedSubscribers.Count

        func text(
            _ round: Int, _ subscribers: Int, _ rate: Double, beside idle: (cpu: Double, memory: Double)?
        ) -> String {
            let own = subscribers == 0 ? 0 : (cpu - (idle?.cpu ?? 0)) / Double(subscribers)
            let each = subscribers == 0 ? 0 : (memory - (idle?.memory ?? 0)) / Double(subscribers)
            return String(
                format: "round %d: %4d subscribers, %4.0f changes/s: %7.0f us a change, %6.2f us a delivery, "
                    + "%4.1f changes a message, %4.0f bytes a change; %5.1f MB, %6.0f bytes a subscriber",
                round, subscribers, rate, cpu, own, Double(count.changes) / Double(max(1, count.messages)),
                Double(count.bytes) / Double(max(1, count.changes)), memory / 1e6, each)
        }
    }

    private func publishing(
        to count: Int, _ rate: Double, _ stage: Stage, _ endpoint: String, _ children: Children
    ) async throws -> Used {
        guard let query = stage.query else { throw CancellationError() }
        let (stop, subscribers) = (LoadStop(), DrainedSubscribers(endpoint: endpoint, subscribers: count))
        let receiving = Task { try await LoadThread.run { try subscribers.run(stop) } }
        let word = LoadName.word()
        let (commands, length) = (stage.commands, seconds + 20)
        let writing = Task {
            try await ServiceTest(endpoint: commands, user: "measure", timeout: 30_000_000_000) {
                [WeightedOperation(RelayWrite(word: word))]
            }.run(
                LoadShape(loop: .open(.rate(rate), arrival: .constant), end: .duration(seconds: length), warmUp: 0),
                LoadWatch(stop: stop))
        }
        let deadline = ContinuousClock.now + .seconds(15)
        while subscribers.count.withLock({ $0.hearing }) < count, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await Task.sleep(for: .seconds(1))
        let client = try await stage.client()
        let meter = ProcessMeter([query.pid])
        let (revBefore, countBefore) = (try await client.hello().position.rev, subscribers.count.withLock { $0 })
        let before = meter.read()
        try await Task.sleep(for: .seconds(seconds))
        let after = meter.read()
        let (rev, counted) = (try await client.hello().position.rev, subscribers.count.withLock { $0 })
        stop.ask()
        _ = try? await writing.value
        try await receiving.value
        await client.close()
        guard counted.hearing == count, let before, let after else { throw TableError.unreadable(endpoint) }
        let changes = Double(rev - revBefore)
        return Used(
            cpu: (after.cpu - before.cpu) * 1e6 / changes, memory: Double(after.memory), changes: changes,
            count: DrainedSubscribers.Count(
                messages: counted.messages - countBefore.messages, changes: counted.changes - countBefore.changes,
                bytes: counted.bytes - countBefore.bytes, hearing: counted.hearing))
    }

    private func questions(_ round: Int, _ stage: Stage) async throws {
        guard let query = stage.query else { throw CancellationError() }
        let client = try await stage.client()
        let end = try await client.hello().position
        await client.close()
        func at(_ rev: UInt64) -> Position { Position(epoch: end.epoch, rev: rev, run: end.run) }
        for (name, position, limit) in [
            ("memory, nothing new", at(end.rev), 100), ("memory, 1 change", at(end.rev - 1), 1),
            ("memory, 100 changes", at(end.rev - 100), 100), ("passed on, 1 change", at(1), 1),
            ("passed on, 100 changes", at(1), 100),
        ] as [(String, Position, UInt32)] {
            let meters = [ProcessMeter([query.pid]), ProcessMeter([stage.storage.pid])]
            let before = meters.map { $0.read()?.cpu ?? .nan }
            let result = try await ServiceTest(endpoint: stage.endpoint, user: "measure", timeout: 30_000_000_000) {
                [WeightedOperation(RelayQuestion(after: position, limit: limit))]
            }.run(LoadShape(loop: .closed(window: 16), end: .count(20_000), warmUp: 0), LoadWatch())
            guard result.figures.failures == 0 else { throw TableError.refused(result.figures.errors) }
            let used = zip(meters, before).map { (($0.read()?.cpu ?? .nan) - $1) * 1e6 / 20_000 }
            print(String(format: "round %d: %@: relay %.1f us, storage %.1f us", round, name, used[0], used[1]))
        }
    }
}
