// SPDX-License-Identifier: Apache-2.0

import Settings
import TestTurns
import Testing

@Suite(.inShortTurn)
struct DifferencesTests {
    private func load(_ arguments: String...) throws -> Settings {
        try Settings.load(schema: .query, file: nil, environment: [:], arguments: arguments)
    }

    @Test
    func nameWhatIsAnother() throws {
        let old = try load("--sources-a-url", "file:a", "--listen", "tcp://127.0.0.1:1", "--log-level", "info")
        #expect(try load("--sources-a-url", "file:a", "--listen", "tcp://127.0.0.1:1").differences(from: old) == [])
        let fresh = try load("--sources-a-url", "file:b", "--log-level", "debug", "--changes", "ipc://c")
        #expect(fresh.differences(from: old) == ["changes", "listen", "log.level", "sources.a.url"])
        #expect(old.differences(from: fresh) == fresh.differences(from: old))
        // If only one side has a source, all its keys are differences.
        let gone = try load("--listen", "tcp://127.0.0.1:1").differences(from: old)
        #expect(gone.contains("sources.a.url") && gone.allSatisfy { $0.hasPrefix("sources.a.") })
    }
}
