// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FaultKit
import Foundation
import Geodesy
import Landmarks
import ServiceHost
import WaymarkClient

/// Measures how many changes a second hooks deliver, and how soon while some receivers never answer.
struct HooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hooks", abstract: "Hooks: changes a second, in batches and one by one, and delays among many.",
        discussion: "Needs a descriptor for each hook, here and in the service: ulimit -n.")

    private static let patience = Duration.seconds(120)
    /// The hooks that receive the same changes.
    private static let groupSize = 10

    @Option(help: "Number of changes for one hook.") var changes = 30_000
    @Option(help: "Rounds with one hook.") var rounds = 3
    @Option(help: "Number of hooks at the same time, at least ten.") var hooks = 1_000
    @Option(help: "Number of them whose receiver never answers.") var hanging = 10
    @Option(help: "Changes a second for the many hooks; each goes to ten of them.") var rate = 20.0
    @Option(help: "Seconds of these changes.") var seconds = 30

    func validate() throws {
        guard changes > 0, hooks >= Self.groupSize, 0..<hooks ~= hanging, rate > 0, seconds > 0 else {
            throw ValidationError("--hooks is at least 10 and more than --hanging, all other numbers are positive.")
        }
    }

    func run() async throws {
        OpenFiles.raiseLimit()
        let children = try Children()
        let interruption = Interruption(children)
        defer { children.end() }
        let receiver = try HookReceiver()
        defer { receiver.end() }
        try await measureRates(children, receiver)
        try await measureDelays(children, receiver)
        if let code = interruption.exitCode { throw ExitCode(code) }
    }

    private func stage(_ children: Children, _ name: String) throws -> Stage {
        try Stage(children, name, settings: "hooks:\n  allow: 127.0.0.0/8\n")
    }

    private func add(_ name: String, _ url: String, _ stage: Stage, _ flags: [String]) throws {
        _ = try Tools.output(
            [try Stage.product("waymark"), "hook", "add", name, url, "--connect", stage.endpoint, "--as", "measure"]
                + flags)
    }

    private func wait(_ what: String, _ children: Children, _ isSo: () -> Bool) async throws {
        let deadline = ContinuousClock.now + Self.patience
        while !isSo() {
            if children.stop.isAsked { throw CancellationError() }
            guard ContinuousClock.now < deadline else { throw ServicesError(description: "no \(what) in time") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    // MARK: One hook

    private func measureRates(_ children: Children, _ receiver: HookReceiver) async throws {
        let stage = try stage(children, "hooks-rate")
        _ = try await stage.fill(World(landmarks: changes, seed: 1))
        try stage.startQuery()
        try await stage.settle()
        for round in 1...rounds {
            for batch in [100, 1] {
                let name = "batch\(batch)-round\(round)"
                try add(name, receiver.url(name), stage, ["--from", "start", "--batch", "\(batch)"])
                try await wait("receipt of all changes by \(name)", children) {
                    receiver.tally(name).events >= changes
                }
                let rate = receiver.tally(name).rate
                Self.say("round \(round): \(changes) changes in batches of \(batch): \(Int(rate)) changes/s")
            }
        }
        _ = receiver.takeDelays()
        stage.end()
    }

    // MARK: Many hooks

    private func measureDelays(_ children: Children, _ receiver: HookReceiver) async throws {
        let stage = try stage(children, "hooks-many")
        try stage.startQuery()
        let client = try await stage.client()
        let groups = (hooks + Self.groupSize - 1) / Self.groupSize
        for number in 0..<hooks {
            let site = try site(number % groups)
            let path = number < hanging ? "hang" : "many\(number)"
            try add(
                "many\(number)", receiver.url(path), stage,
                ["--near=\(site.latitude),\(site.longitude)", "--radius", "1km"])
        }
        let before = receiver.all
        for group in 0..<groups { try await change(group, 0, client) }
        try await wait("receipt by all hooks that answer", children) {
            receiver.all.paths - before.paths >= hooks - hanging
        }
        _ = receiver.takeDelays()
        let (begun, first) = (ContinuousClock.now, receiver.all.events)
        let count = Int(rate * Double(seconds))
        var expected = 0
        for number in 1...max(1, count) {
            try await Task.sleep(until: begun + .seconds(Double(number) / rate), clock: .continuous)
            if children.stop.isAsked { throw CancellationError() }
            let group = number % groups
            try await change(group, number, client)
            expected += stride(from: group, to: hooks, by: groups).count { $0 >= hanging }
        }
        let (target, last) = (expected, first)
        try await wait("receipt of the last change", children) { receiver.all.events - last >= target }
        Self.say(
            "\(hooks) hooks, of which \(hanging) hang: \(receiver.all.events - first) receipts of \(expected); from the "
                + "time of the change to its receipt: \(receiver.takeDelays().text)")
        await client.close()
        stage.end()
    }

    private func change(_ group: Int, _ number: Int, _ client: WaymarkClient) async throws {
        _ = try await client.add(LandmarkDraft(name: "change \(number) of \(group)", coordinate: site(group)))
    }

    /// The centre of a group's area, apart from all others.
    private func site(_ group: Int) throws -> Coordinate {
        try Coordinate(latitude: Double(group / 300) - 40, longitude: Double(group % 300) - 150)
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
