// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient

/// The commands for notes. `note ID TEXT` is the default subcommand; `note edit` and `note remove` are the others.
struct NoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note",
        abstract: "Write a note on any landmark; change and remove notes.",
        discussion: """
              waymark note "Bondi Icebergs" "Closed on Thursdays."
              waymark note edit 01933c70-1a2b-7c3d-8e4f-5a6b7c8d9e0f "Open again on Thursdays."
              waymark note remove 01933c70-1a2b-7c3d-8e4f-5a6b7c8d9e0f

            "waymark show ID" prints a landmark's notes with their ids.
            """,
        subcommands: [Add.self, Edit.self, Remove.self],
        defaultSubcommand: Add.self)

    struct Add: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Write a note on a landmark. The word add may be left out.",
            discussion: "  waymark note 01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5 \"Closed on Thursdays.\"")

        @Argument(.reference, LandmarkReference.help)
        var id: LandmarkReference

        @Argument(help: ArgumentHelp("The note, 1 to 10,000 characters.", valueName: "text"))
        var text: [String]

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let written = try await session.client.addNote(
                to: try await session.id(id), try LandmarkRules.note(text.typed))
            let note = written.note?.description ?? "-"
            try session.printWritten(written, "noted \(note) on \(written.id) at revision \(written.rev)")
        }
    }

    struct Edit: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit", abstract: "Change the text of a note.",
            discussion: "  waymark note edit 01933c70-1a2b-7c3d-8e4f-5a6b7c8d9e0f \"Open again on Thursdays.\"")

        @Argument(.note, "The note's id, 36 characters.")
        var note: Note.ID

        @Argument(help: ArgumentHelp("The new text, 1 to 10,000 characters.", valueName: "text"))
        var text: [String]

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let written = try await session.client.editNote(note, try LandmarkRules.note(text.typed))
            try session.printWritten(written, "changed note \(note) on \(written.id) at revision \(written.rev)")
        }
    }

    struct Remove: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a note.",
            discussion: "  waymark note remove 01933c70-1a2b-7c3d-8e4f-5a6b7c8d9e0f")

        @Argument(.note, "The note's id, 36 characters.")
        var note: Note.ID

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let written = try await session.client.removeNote(note)
            try session.printWritten(written, "removed note \(note) from \(written.id) at revision \(written.rev)")
        }
    }
}

extension [String] {
    /// The words joined with spaces, as the person typed them.
    var typed: String { map(PositionArguments.plain).joined(separator: " ") }
}
