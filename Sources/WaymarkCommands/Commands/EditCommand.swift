// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import Landmarks
import WaymarkClient

struct EditCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a landmark.",
        discussion: """
            What is not given stays as it is; an empty kind or link takes it away.

              waymark edit 01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5 --name "Icebergs Pool" --if-version 3
              waymark edit 01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5 --at -33.8952,151.2744
            """)
    static let needsUser = true

    @Argument(
        help: ArgumentHelp("The landmark's id, or the beginning of it.", valueName: "id"), completion: Completions.ids,
        transform: Values.reference)
    var id: LandmarkReference

    @Option(help: ArgumentHelp("Another name, 1 to 200 characters.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp("Another position: latitude and longitude in degrees.", valueName: "lat,lon"),
        transform: Values.position)
    var at: Coordinate?

    @Option(help: ArgumentHelp("Another kind.", valueName: "kind"), completion: Completions.kinds)
    var kind: String?

    @Option(help: ArgumentHelp("Another link.", valueName: "url"))
    var link: String?

    @Option(
        help: ArgumentHelp(
            "Only if it has this version still, else refuse. (default: whatever it has)", valueName: "version"))
    var ifVersion: UInt64?

    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if name == nil, at == nil, kind == nil, link == nil {
            throw ValidationError("Nothing to change was given: name at least one of --name, --at, --kind and --link.")
        }
    }

    func run(in session: Session) async throws {
        let edit = try LandmarkEdit(name: name, coordinate: at, kind: kind, link: link)
        let written = try await session.client.edit(try await session.id(id), edit, ifVersion: ifVersion)
        try session.printWritten(
            written, "changed \(written.id) at revision \(written.rev), now version \(written.version)")
        session.tellOfLink(edit.link ?? "")
    }
}
