// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Geodesy
import Landmarks
import WaymarkClient
import WaymarkLoad
import WaymarkProtocol

/// Measures searches of places: what is open, what is prominent, and what is rare.
struct PlacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places", abstract: "Searches of what is open, prominent or rare among a million landmarks.")

    /// The time for all questions of one kind.
    private static let most = Duration.seconds(20)

    @Option(help: "Number of landmarks.") var landmarks = 1_000_000
    @Option(help: "Questions of each kind, one at a time.") var questions = 1_000
    @Option(help: "The share that has opening hours.") var hours = 0.2
    @Option(help: "The share that has ratings.") var ratings = 0.3
    @Option(help: "Different texts of opening hours, up to 5,000.") var texts = 1_000
    @Option(help: "Landmarks of a rare kind.") var rare = 30
    @Option(help: "The seed of the places.") var seed: UInt64 = 1

    func validate() throws {
        guard landmarks > 0, questions > 0, rare > 0, 1...5_000 ~= texts else {
            throw ValidationError("--landmarks, --questions and --rare are at least 1, --texts is 1 to 5,000.")
        }
    }

    func run() async throws {
        let children = try Children()
        let interruption = Interruption(children)
        defer { children.end() }
        let stage = try Stage(children, "places", settings: "places:\n  zone: Etc/UTC\n")
        let begun = ContinuousClock.now
        try await fill(stage, children)
        Self.say("\(landmarks) landmarks in \(Int((ContinuousClock.now - begun) / .seconds(1))) s")
        try stage.startQuery()
        try await stage.settle()
        let client = try await stage.client()
        let moment = Self.workingHour
        let open = OpeningQuestion(at: moment, isFilter: true)
        let rareOnes = LandmarkFilter(kinds: [PlacesWorld.rare])
        try await ask("near", client) { try await $0.near($1) }
        try await ask("near, hours told", client) { try await $0.near($1, opening: OpeningQuestion(at: moment)) }
        try await ask("near --open", client) { try await $0.near($1, opening: open) }
        for metres in [2_000.0, 48_000] {
            let name = "near --rank prominence --radius \(Int(metres / 1_000))km"
            try await ask(name, client) { try await $0.near($1, radius: metres, rank: .prominence) }
            try await ask("\(name) --open", client) {
                try await $0.near($1, radius: metres, rank: .prominence, opening: open)
            }
        }
        try await ask("near --kind, one of \(rare)", client) { try await $0.near($1, filter: rareOnes) }
        try await ask("list --kind, one of \(rare)", client) { client, _ in
            try await client.list(.byName, limit: 20, filter: rareOnes)
        }
        await client.close()
        if let code = interruption.exitCode { throw ExitCode(code) }
    }

    private func fill(_ stage: Stage, _ children: Children) async throws {
        let client = try await stage.client(isOfStorage: true)
        var world = PlacesWorld(landmarks, rare: rare, texts: texts, seed: seed)
        for first in stride(from: 0, to: landmarks, by: World.rows) {
            if children.stop.isAsked { throw CancellationError() }
            var request = WireRequest()
            request.ingest.source = "places"
            request.ingest.rows = (first..<min(landmarks, first + World.rows)).map {
                world.row($0, hours: hours, ratings: ratings)
            }
            _ = try await client.send(request)
        }
        await client.close()
    }

    /// A moment of the present week at which half of the world's shops are open: Wednesday noon, UTC.
    private static var workingHour: UInt64 {
        let (day, week) = (86_400_000, 604_800_000)
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        // The epoch was a Thursday, so six days after the begin of such a week it is Wednesday.
        return UInt64(now / week * week + 6 * day + day / 2)
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Says the time of the answers, and how many rows they had. Questions that take long are asked less often.
    private func ask(
        _ name: String, _ client: WaymarkClient,
        _ question: (WaymarkClient, Coordinate) async throws -> HitPage
    ) async throws {
        let places = World.questions(questions, seed: seed)
        // What is read for the first time is not what is measured.
        for place in places.prefix(3) { _ = try await question(client, place) }
        var (times, rows) = (Sample(), 0)
        let end = ContinuousClock.now + Self.most
        for place in places {
            let begun = ContinuousClock.now
            if begun > end { break }
            rows += try await question(client, place).hits.count
            times.add(ContinuousClock.now - begun)
        }
        let mean = String(format: "%.1f", Double(rows) / Double(max(1, times.values.count)))
        Self.say("\(name.padding(toLength: 48, withPad: " ", startingAt: 0)) \(times.text)  \(mean) rows")
    }
}
