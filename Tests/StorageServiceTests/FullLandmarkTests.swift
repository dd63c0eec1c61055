// SPDX-License-Identifier: Apache-2.0

import Accounts
import Geodesy
import Landmarks
import TestTurns
import Testing

@testable import StorageRules
@testable import StorageService

@Suite("A landmark that is full", .computing)
struct FullLandmarkTests {
    /// A landmark that takes every byte that it may, over tables in memory.
    private final class Stage {
        let memory = MemoryTables()
        let world: RulesTests.World
        let caller: Caller
        private(set) var id = Landmark.ID(high: 0, low: 0)
        /// Of one letter.
        private(set) var note = Note.ID(high: 0, low: 0)
        private(set) var name = "a"
        private var now: UInt64 = 1_700_000_000_000

        init(_ caller: Caller) throws {
            self.caller = caller
            world = try RulesTests.World(memory.tables)
        }

        var bytes: Int { memory.rows.landmarks[id.high]?.count ?? 0 }

        /// Whether a command is done, and not refused because the landmark would be too large.
        func isDone(_ command: Command, in other: RulesTests.World? = nil, by who: Caller? = nil) throws -> Bool {
            now += 1
            return try !(other ?? world).outcome(command, who ?? caller, now: now).hasPrefix("too_large")
        }

        func fill() throws {
            #expect(try isDone(.add(draft("a", 0, 1), note: "n")))
            (id, note) = (try #require(world.landmarks.last), try #require(world.notes.last))
            var length = 10_000
            while length > 0 {
                if try !isDone(.addNote(id, text: String(repeating: "n", count: length))) { length /= 2 }
            }
            // The rest, which is less than a note takes.
            let names = (2...LandmarkRules.nameCharacters).map { String(repeating: "a", count: $0) }
            let longest = try names.last { try isDone(.edit(id, LandmarkEdit(name: $0), ifVersion: nil)) }
            name = try #require(longest)
            #expect(bytes <= LandmarkRules.grownBytes && bytes > LandmarkRules.grownBytes - 8)
        }
    }

    @Test("It can be edited and moved however late, and exceeds its limit by a few bytes only")
    func edits() throws {
        let stage = try Stage(.anyone(user: "ann"))
        try stage.fill()
        // A few bytes an edit would in time be too many for a query service.
        for length in stride(from: 10, to: 1_000, by: 10) {
            #expect(try !stage.isDone(.editNote(stage.note, text: String(repeating: "n", count: length))))
        }
        // Revisions take more bytes by now.
        stage.memory.rows.head.rev = 1 << 60
        let later = try RulesTests.World(stage.memory.tables)
        let other = String(repeating: "b", count: stage.name.count)
        #expect(try stage.isDone(.edit(stage.id, LandmarkEdit(name: other), ifVersion: nil), in: later))
        #expect(try stage.isDone(.move(stage.id, to: Coordinate(latitude: 1, longitude: 1), at: nil), in: later))
        #expect(try stage.isDone(.editNote(stage.note, text: "m"), in: later))
        #expect(try !stage.isDone(.editNote(stage.note, text: "more"), in: later))
        #expect(stage.bytes > LandmarkRules.grownBytes && stage.bytes < LandmarkRules.grownBytes + 64)
    }

    @Test("Without room for its owner's longer name it keeps the old one, and the others get theirs")
    func rename() throws {
        let stage = try Stage(.account(Account(number: 1, name: "ann", role: .user, isEnded: false)))
        #expect(try stage.isDone(.account(.create(name: "ann", .user, nil)), by: .machine))
        try stage.fill()
        #expect(try stage.isDone(.add(draft("b", 0, 1), note: nil)))
        let longer = String(repeating: "ann", count: 8)
        let rename = AccountCommand.change(account: "ann", role: nil, name: longer, nil, ends: false)
        #expect(try stage.isDone(.account(rename), by: .machine))
        #expect(try stage.isDone(.account(.rewriteOwners(limit: 9)), by: .machine))
        #expect(stage.memory.rows.tasks.isEmpty)
        let users = try stage.world.landmarks.map { try stage.memory.find(key: $0.high)?.landmark.user }
        #expect(users == ["ann", longer])
    }
}
