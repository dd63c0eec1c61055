// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import Testing
import WaymarkProtocol

@testable import StorageOnPostgreSQL
@testable import StorageRules

/// What must hold of the tables in the end, whatever has happened.
struct TrialCheck {
    let head: UInt64
    /// The revisions that have a landmark of this name, after the change.
    private var revisions: [String: [UInt64]] = [:]

    /// Reads the tables with a connection of its own: `changes` is dense, and `landmarks` is what comes of it.
    init(_ server: PostgreSQLServer) throws {
        let connection = try Connection(Configuration(url: server.url))
        defer { connection.close() }
        let changes = try connection.execute("SELECT rev, payload FROM changes ORDER BY rev").map { row in
            (rev: try row.bits(0), change: try Change(encoded: [UInt8](try row.data(1))))
        }
        head = UInt64(changes.count)
        #expect(changes.map(\.rev) == Array(1...max(1, head)).prefix(changes.count).map { $0 }, "the log has a hole")
        #expect(changes.allSatisfy { $0.rev == $0.change.rev }, "a payload has another revision than its row")
        var replayed: [Landmark.ID: Landmark] = [:]
        for (rev, change) in changes {
            replayed[change.landmark.id] = change.operation == .removed ? nil : change.landmark
            revisions[change.landmark.name, default: []].append(rev)
        }
        let stored = try connection.execute("SELECT record FROM landmarks").map { row in
            try StoredLandmark(record: row.bytes(0)).landmark
        }
        #expect(Dictionary(stored.map { ($0.id, $0) }) { $1 } == replayed, "landmarks is not what the changes make")
        let notes = try connection.execute("SELECT count(*) FROM notes").first?.int8(0)
        #expect(notes == Int64(replayed.values.reduce(0) { $0 + $1.notes.count }))
        let history = try connection.execute("SELECT rev, landmarks FROM history").map { try [$0.bits(0), $0.bits(1)] }
        #expect(history == [[head, UInt64(stored.count)]], "history has another head")
    }

    /// Each acknowledged request was done once, under the revision of its reply; none that was refused; of the others at
    /// most once.
    func check(_ attempts: [Attempt]) {
        for attempt in attempts {
            let found = revisions[attempt.name] ?? []
            switch attempt.outcome {
            case .acknowledged: #expect(found == [attempt.reply?.written.rev ?? 0], "\(attempt.name)")
            case .notDone: #expect(found.isEmpty, "\(attempt.name) was refused, and is there")
            case .unknown: #expect(found.count <= 1, "\(attempt.name)")
            }
        }
    }

    /// Whether a request was done.
    func has(_ attempt: Attempt) -> Bool { revisions[attempt.name] != nil }

    /// A later storage gives the same bytes to whoever asks again, and does nothing.
    static func repeatsAnswers(_ attempts: [Attempt], _ engine: PostgreSQLEngine) throws {
        let head = engine.position.rev
        for attempt in attempts {
            guard case .acknowledged(let reply) = attempt.outcome else { continue }
            let again = try engine.apply([attempt.request])
            #expect(again.replies == [reply] && again.changes.isEmpty, "\(attempt.name)")
        }
        #expect(engine.position.rev == head)
    }
}
