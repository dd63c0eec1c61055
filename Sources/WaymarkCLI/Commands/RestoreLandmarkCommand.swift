// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient

/// Its name differs from that of `restore`, which replaces the whole database.
struct RestoreLandmarkCommand: WritingCommand {
    static let configuration = CommandConfiguration(
        leaf: "restore-landmark",
        abstract: "Undo the removal of a landmark.",
        discussion: """
              waymark restore-landmark 01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5

            The landmark comes back with its id, owner, notes and history, as long as the log of changes still has its \
            removal. "waymark tail --since 1h --op removed" prints what was removed.
            """)

    @Argument(.removed, "The landmark's whole id, as \"waymark remove\" printed it.")
    var id: Landmark.ID

    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let written = try await session.client.restore(id)
        try session.printWritten(written, "restored \(id) at revision \(written.rev)")
    }
}
