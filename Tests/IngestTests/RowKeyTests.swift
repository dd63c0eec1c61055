// SPDX-License-Identifier: Apache-2.0

import Ingest
import TestTurns
import Testing
import WaymarkProtocol

@Suite(.inShortTurn)
struct RowKeyTests {
    private func rows(_ locations: String...) throws -> SourceRows {
        try SourceFormat.seed.rows(in: "{\"locations\": [\(locations.joined(separator: ","))]}")
    }

    private let central = #"{"name": "Central", "lat": -33.88, "lng": 151.2}"#
    private let otherCentral = #"{"name": "Central", "lat": 22.28, "lng": 114.15}"#
    private let bondi = #"{"name": "Bondi", "lat": -33.89, "lng": 151.27}"#

    @Test
    func theSameBodyGivesTheSameKeys() throws {
        #expect(try rows(central, bondi, otherCentral) == (try rows(central, bondi, otherCentral)))
    }

    @Test
    func aUniqueNameIsTheKey() throws {
        let moved = #"{"name": "Bondi", "lat": 0, "lng": 0}"#
        #expect(try rows(bondi).keys == ["name:Bondi"])
        #expect(try rows(central, moved).keys == ["name:Central", "name:Bondi"])
    }

    @Test
    func namesakesAreToldApartByPositionInAnyOrder() throws {
        let keys = ["name:Central@-33.88,151.2", "name:Central@22.28,114.15"]
        #expect(try rows(central, otherCentral).keys == keys)
        #expect(try rows(otherCentral, bondi, central).keys == [keys[1], "name:Bondi", keys[0]])
    }

    @Test
    func whatTheSourceHasTwiceStaysTwice() throws {
        let rows = try rows(central, bondi, central, central)
        #expect(rows.names == ["Central", "Bondi", "Central", "Central"])
        let key = "name:Central@-33.88,151.2"
        #expect(rows.keys == [key, "name:Bondi", key + "#2", key + "#3"])
        #expect(rows.refusals == [])
    }

    @Test
    func aCountNeverMeetsAnotherKey() throws {
        let a = #"{"name": "A", "lat": 0, "lng": 0}"#
        let rows = try rows(#"{"name": "A@0.0,0.0#2", "lat": 0, "lng": 0}"#, a, a)
        #expect(rows.keys == ["name:A@0.0,0.0#2", "name:A@0.0,0.0", "name:A@0.0,0.0#3"])
    }

    @Test
    func theSameIDIsRejectedTheSecondTime() throws {
        let rows = try rows(
            #"{"id": 5, "name": "A", "lat": 0, "lng": 0}"#, #"{"id": "5", "name": "B", "lat": 1, "lng": 1}"#)
        #expect(rows.keys == ["5"])
        #expect(
            rows.refusals == ["locations[1] (B): The row repeats the id of locations[0]."])
    }

    @Test
    func anIDTooLongIsRejected() throws {
        let id = String(repeating: "x", count: 513)
        let rows = try rows(#"{"id": "\#(id)", "name": "A", "lat": 0, "lng": 0}"#)
        #expect(rows.reasons == ["The key is too long: at most 512 characters are kept."])
    }

    @Test
    func rejectionsKeepTheOrderOfTheBody() throws {
        let five = #"{"id": 5, "name": "E", "lat": 0, "lng": 0}"#
        let rows = try rows(five, five, #"{"name": "A"}"#, five)
        #expect(rows.rejected.map(\.place) == ["locations[1] (E)", "locations[2] (A)", "locations[3] (E)"])
    }

    @Test
    func aRejectedRowIsStillKnown() throws {
        let rows = try rows(
            #"{"id": "a", "name": "A", "lat": 91, "lng": 0}"#, #"{"name": " B ", "lat": 91, "lng": 0}"#,
            #"{"lat": 0, "lng": 0}"#, #"{"id": "c", "name": "C", "lat": 0, "lng": 0}"#,
            #"{"id": "c", "name": "C", "lat": 0, "lng": 0}"#)
        #expect(rows.rejected.map(\.key) == ["a", "name:B", nil, "c"])
        #expect(rows.rejected.map(\.name) == [nil, "B", nil, nil])
    }

    @Test
    func aKeyDoesNotDependOnWhetherANamesakeIsInOrder() throws {
        let broken = #"{"name": "Central", "lat": 91, "lng": 114.15}"#
        let rows = try rows(central, broken)
        #expect(rows.keys == ["name:Central@-33.88,151.2"])
        #expect(rows.rejected.map(\.key) == [nil] && rows.rejected.map(\.name) == ["Central"])
    }

    /// The keys known to storage that an ingest of these rows reports as vanished.
    private func vanished(_ rows: SourceRows, known: [String]) async -> (removed: [String], report: IngestReport) {
        var removed: [String] = []
        let report = await IngestRun(source: "s", rows: rows, vanished: .remove).run { request in
            if case .sourceKeys? = request.command { return WireReply.with { $0.sourceKeys.keys = known } }
            removed += request.ingest.vanished
            return WireReply.with { $0.ingest = WireIngestReport() }
        }
        return (removed, report)
    }

    @Test("a landmark that may belong to a rejected row has not vanished")
    func rejectedIsNotVanished() async throws {
        let known = [
            "7", "8", "name:Bondi", "name:Central", "name:Central@1.0,2.0", "name:Central@1.0,2.0#2", "name:X@Y",
        ]
        // Rejected with a name only: it may be under any key of that name.
        let broken = #"{"name": "Central", "lat": 91, "lng": 2}"#
        #expect(await vanished(try rows(bondi, broken), known: known).removed == ["7", "8", "name:X@Y"])
        // Rejected with an id.
        let numbered = #"{"id": 7, "name": "Central", "lat": 91, "lng": 2}"#
        #expect(
            await vanished(try rows(bondi, numbered), known: known).removed
                == ["8", "name:Central", "name:Central@1.0,2.0", "name:Central@1.0,2.0#2", "name:X@Y"])
        // Rejected without id and name: it may be any of them, and a notice says so.
        let (removed, report) = await vanished(try rows(bondi, #"{"lat": 0, "lng": 0}"#), known: known)
        #expect(removed.isEmpty && report.taken.kept == 6 && report.taken.removed == 0)
        #expect(report.notices.map(\.text).contains { $0.hasPrefix("6 landmarks are no longer in the source") })
    }

    /// Swift's strings are equal in both forms, so the test compares bytes.
    @Test
    func keysAreInOneForm() throws {
        let rows = try rows(
            #"{"id": "Cafe\u0301", "name": "A", "lat": 1, "lng": 1}"#, #"{"name": "Cafe\u0301", "lat": 2, "lng": 2}"#,
            #"{"id": "Caf\u00e9", "name": "B", "lat": 3, "lng": 3}"#)
        #expect(rows.keys.map { Array($0.utf8) } == ["Caf\u{e9}", "name:Caf\u{e9}"].map { Array($0.utf8) })
        #expect(rows.reasons == ["The row repeats the id of locations[0]."])
    }
}
