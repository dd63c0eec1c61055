// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkJSON

/// The commands that act on a whole source.
struct SourceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source",
        abstract: "Remove a source with its landmarks.",
        discussion: "  waymark source remove airports",
        subcommands: [Remove.self])

    /// - Throws: an error that lists the known sources if none has this name.
    static func find(_ name: String, in sources: [SourceState]) throws(Failure) -> SourceState {
        if let source = sources.first(where: { $0.source == name }) { return source }
        let names = sources.prefix(20).map(\.source).joined(separator: ", ")
        throw Failure(
            ErrorCode.notFound.name,
            names.isEmpty
                ? "No source is known yet: ingest one first." : "There is no source \(name): the sources are \(names).")
    }

    struct Remove: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a source's landmarks and the state of its fetches.",
            discussion: """
                Landmarks with people's notes are kept, and then the source is kept too. A source that is listed in \
                a configuration comes back with its next fetch.

                  waymark source remove airports
                  waymark source remove airports --yes --with-notes -o json
                """)

        @Argument(.source, "The source's name.")
        var name: String

        @Flag(help: "Also remove landmarks with people's notes, together with the notes.")
        var withNotes = false

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let known = try SourceCommand.find(name, in: try await session.client.sources())
            let landmarks = Figures.count(known.landmarks, "landmark", "landmarks")
            try confirmation.confirm("This removes the source \(name) and its \(landmarks) for ever. Continue?")
            let bar = ProgressBar(session.output, Surroundings.current)
            defer { bar.clear() }
            let removed = try await session.client.removeSource(name, withNotes: withNotes) { done in
                let count = done.removed + done.kept
                let all = max(count, known.landmarks)
                bar.show("\(Figures.count(count)) of \(Figures.count(all)) rows", (Double(count), Double(all)))
            }
            bar.clear()
            let shown = session.output.painter.paint(Escaping.visible(name), .bold)
            try session.print(removed, of: "source", name, shown: shown)
            if removed.kept > 0, session.output.format == .text {
                session.output.notice(
                    "kept",
                    "Landmarks with people's notes are kept, and the source with them: --with-notes removes them.")
            }
        }
    }
}
