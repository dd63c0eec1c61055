// SPDX-License-Identifier: Apache-2.0

import TestProcess
import TestTurns
import Testing

@Suite("What is told of a program that was waited for in vain", .inShortTurn)
struct ProcessStandstillTests {
    @Test("its threads and where they stand, for its end and for its lines")
    func standing() async throws {
        let program = try Child(["/bin/sleep", "600"], output: .lines)
        for wait in ["end", "line", "lines"] {
            let overdue = await #expect(throws: Overdue.self) {
                switch wait {
                case "end": _ = try await program.ended(within: .milliseconds(100))
                case "line": _ = try await program.out.next(within: .milliseconds(100))
                default: _ = try await program.out.complete(within: .milliseconds(100))
                }
            }
            let report = try #require(overdue).description
            #expect(report.contains("Threads of process \(program.pid):"))
            #expect(report.contains("State: S (sleeping)"))
            #expect(report.contains("nanosleep") || report.contains("No backtraces:"))
        }
        try await program.slain()
    }
}
