// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct RemoveCommand: WritingCommand {
    static let configuration = CommandConfiguration(
        leaf: "remove",
        abstract: "Remove a landmark and its notes.",
        discussion: """
              waymark remove 01933c6e-7f3a-7c21
              waymark remove "Bondi Icebergs"
              waymark remove 01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5 --if-version 3

            "waymark restore-landmark" undoes it. A removed landmark of a source does not return when the source is \
            read again. "waymark source remove" removes all of a source's landmarks.
            """)

    @Argument(.reference, LandmarkReference.help)
    var id: LandmarkReference

    @Option(word: "version", "Remove only if the landmark still has this version. (default: any version)")
    var ifVersion: UInt64?

    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let written = try await session.client.remove(try await session.id(id), ifVersion: ifVersion)
        try session.printWritten(written, "removed \(written.id) at revision \(written.rev)")
    }
}
