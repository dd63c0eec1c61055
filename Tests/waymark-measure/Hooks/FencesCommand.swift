// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Landmarks

/// Measures the index of filters with many fences, and compares its answers with those of trying every fence.
struct FencesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fences", abstract: "Moves among many fences: the time for each, and memory for each fence.",
        discussion: "All answers of a smaller run: --fences 5000 --moves 20000 --checked 20000.")

    private final class Entry: IndexedFilter {
        let filter: FeedFilter
        var place = 0

        init(_ area: Area) { filter = FeedFilter(area: area) }
    }

    private typealias Move = (before: FilterSubject, after: FilterSubject)

    @Option(help: "Number of fences: nine of ten are circles of 100 m to 5 km, the others polygons.")
    var fences = 100_000
    @Option(help: "Number of cities that they are in.") var cities = 1_000
    @Option(help: "Number of moves; one in four between cities.") var moves = 500_000
    @Option(help: "Number of moves whose answers are compared with every fence.") var checked = 300
    @Option(help: "The seed of everything.") var seed: UInt64 = 1

    func validate() throws {
        guard fences > 0, cities > 1, moves > 0, checked >= 0 else {
            throw ValidationError("--fences and --moves are at least 1, --cities at least 2.")
        }
    }

    func run() throws {
        var world = try FenceWorld(cities: cities, seed: seed)
        try measureMemory(&world)
        var entries: [Entry] = []
        for _ in 0..<fences { entries.append(Entry(try world.area())) }
        var (index, empty) = (FilterIndex<Entry>(), FilterIndex<Entry>())
        let filling = Self.seconds { for entry in entries { index.insert(entry) } }
        say("%d fences are inserted in %.2f s", fences, filling)
        let all = (0..<moves).map { _ in world.move() }
        try check(&index, entries, Array(all.prefix(checked)))
        var (candidates, told) = (0, 0)
        let seconds = Self.seconds {
            for move in all {
                index.candidates(before: move.before, after: move.after) { entry in
                    candidates += 1
                    told += Self.told(move, entry) == nil ? 0 : 1
                }
            }
        }
        say(
            "moves: %.0f/s on one core; %.2f candidates and %.2f matching fences for each",
            Double(moves) / seconds, Double(candidates) / Double(moves), Double(told) / Double(moves))
        // Most journeys meet no fence. Those that do are not what is measured here.
        let lonely = (0..<moves).map { _ in world.journey() }.filter { move in
            var isLonely = true
            index.candidates(before: move.before, after: move.after) { _ in isLonely = false }
            return isLonely
        }
        for round in 1...3 {
            let (without, with) = (Self.microseconds(lonely, &empty), Self.microseconds(lonely, &index))
            say("round %d: a change that meets no fence: %.3f us without fences, %.3f us with", round, without, with)
        }
        let emptying = Self.seconds { for entry in entries { index.remove(entry) } }
        say("%d fences are removed in %.2f s", fences, emptying)
        guard index.isEmpty else { throw FencesError(description: "something is left of removed fences") }
    }

    private func measureMemory(_ world: inout FenceWorld) throws {
        var index = FilterIndex<Entry>()
        let before = TilesCommand.memory
        for _ in 0..<fences { index.insert(Entry(world.circle())) }
        let bytes = Double(TilesCommand.memory - before) / Double(fences)
        say("a circle takes %.0f bytes: its entry, its filter and its listings", bytes)
        guard !index.isEmpty else { throw FencesError(description: "the index is empty") }
    }

    private func check(_ index: inout FilterIndex<Entry>, _ entries: [Entry], _ moves: [Move]) throws {
        var matching = 0
        for move in moves {
            var found: Set<ObjectIdentifier> = []
            index.candidates(before: move.before, after: move.after) { entry in
                if Self.told(move, entry) != nil { found.insert(ObjectIdentifier(entry)) }
            }
            let expected = entries.filter { Self.told(move, $0) != nil }.map(ObjectIdentifier.init)
            guard found == Set(expected) else {
                throw FencesError(description: "\(move): \(found.count) fences, and \(expected.count) by trying all")
            }
            matching += expected.count
        }
        say("%d moves have the same %d fences as by trying all", moves.count, matching)
    }

    private static func told(_ move: Move, _ entry: Entry) -> FeedOperation? {
        entry.filter.operation(of: .changed, before: move.before, after: move.after)
    }

    private static func microseconds(_ moves: [Move], _ index: inout FilterIndex<Entry>) -> Double {
        var found = 0
        let seconds = Self.seconds {
            for move in moves { index.candidates(before: move.before, after: move.after) { _ in found += 1 } }
        }
        return found == 0 ? seconds * 1e6 / Double(max(1, moves.count)) : .nan
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let begun = ContinuousClock.now
        try body()
        return (ContinuousClock.now - begun) / .seconds(1)
    }

    private func say(_ format: String, _ values: any CVarArg...) {
        FileHandle.standardOutput.write(Data((String(format: format, arguments: values) + "\n").utf8))
    }
}

/// What was measured is not what it should be.
private struct FencesError: Error, CustomStringConvertible { let description: String }
