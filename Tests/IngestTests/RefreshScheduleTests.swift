// SPDX-License-Identifier: Apache-2.0

import Ingest
import Landmarks
import TestTurns
import Testing

@Suite(.inShortTurn)
struct RefreshScheduleTests {
    @Test
    func waitsAboutAsLongAsConfigured() {
        #expect(RefreshSchedule.wait(every: .seconds(100), random: 0) == .seconds(90))
        #expect(RefreshSchedule.wait(every: .seconds(100), random: 0.5) == .seconds(100))
        #expect(RefreshSchedule.wait(every: .seconds(100), random: 0.75) == .seconds(105))
    }

    @Test
    func fetchesOnceWhereNothingElseIsConfigured() {
        #expect(RefreshSchedule.wait(every: .zero, random: 0.5) == nil)
        #expect(RefreshSchedule.wait(every: .zero, failures: 1, random: 0.5) == .seconds(30))
    }

    @Test
    func backsOffAfterFailures() {
        let daily = Duration.seconds(86_400)
        let often = Duration.seconds(5)
        func waits(_ every: Duration, _ failures: [Int]) -> [Duration?] {
            failures.map { RefreshSchedule.wait(every: every, failures: $0, random: 0.5) }
        }
        #expect(waits(daily, [1, 2, 3, 12, 13, 1000]) == [30, 60, 120, 61_440, 86_400, 86_400].map { .seconds($0) })
        #expect(waits(often, [1, 2, 10, 11, 1000]) == [5, 10, 2560, 3600, 3600].map { .seconds($0) })
    }

    @Test
    func aDefinitionChecksItsName() throws {
        let location = try SourceLocation("a.json")
        #expect(throws: InvalidInput.empty("source")) { try SourceDefinition(name: " ", location: location) }
        let definition = try SourceDefinition(name: "sydney", location: location, every: .seconds(60))
        #expect(definition.request().location == location)
        #expect(definition.every == .seconds(60))
    }
}
