// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkClient

struct RemoveCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a landmark, or all of a source, and their notes with them.",
        discussion: """
              waymark remove 01933c6e-7f3a-7c21
              waymark remove 01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5 --if-version 3
              waymark remove --source beaches

            What is removed of a source stays away when the source is read again.
            """)
    static let needsUser = true

    @Argument(
        help: ArgumentHelp("The landmark's id, or the beginning of it.", valueName: "id"), completion: Completions.ids,
        transform: Values.reference)
    var id: LandmarkReference?

    @Option(
        help: ArgumentHelp("All landmarks of this source. (default: none)", valueName: "name"),
        completion: Completions.sources)
    var source: String?

    @Option(
        help: ArgumentHelp(
            "Only if it has this version still, else refuse. (default: whatever it has)", valueName: "version"))
    var ifVersion: UInt64?

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard (id == nil) != (source == nil) else {
            throw ValidationError("Say what to remove: the id of a landmark, or --source for all of a source.")
        }
        if source != nil, ifVersion != nil {
            throw ValidationError("--if-version is for one landmark: leave it out with --source.")
        }
    }

    func run(in session: Session) async throws {
        if let source { return try await session.remove(source: try LandmarkRules.source(source), confirmation) }
        guard let id else { return }
        let written = try await session.client.remove(try await session.id(id), ifVersion: ifVersion)
        try session.printWritten(written, "removed \(written.id) at revision \(written.rev)")
    }
}
