// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkProtocol

/// Removes everything that a load test has written, by its ``BenchMark``.
struct CleanBench: AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Remove the landmarks that a load test has written.",
        discussion: """
            A test that writes prints the name of its run at the end. The landmarks that it added have the kind \
            bench-RUN, and the rows that it ingested have the source bench-RUN. Both are removed in steps: after an \
            interruption run the command again. Landmarks with people's notes are kept.

              waymark bench clean k3x9q2
            """)
    static let needsUser = true

    @Argument(ValueForm<BenchMark>(word: "run") { try BenchMark($0) }, "The run's name, as the test printed it.")
    var mark: BenchMark

    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let client = session.client
        var done = RemovedSource()
        try await done.removeAll(ofKind: mark.name, by: client)
        if try await client.sources().contains(where: { $0.source == mark.name }) {
            let rows = try await client.removeSource(mark.name)
            done.removed += rows.removed
            done.kept += rows.kept
        }
        guard done != RemovedSource() else {
            throw Failure(
                ErrorCode.notFound.name,
                "Nothing is left of the run \(mark.run): it was removed before, or it is in another collection.")
        }
        try session.print(done, of: "run", mark.run)
    }
}
