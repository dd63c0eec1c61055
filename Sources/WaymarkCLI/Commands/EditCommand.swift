// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient

struct EditCommand: WritingCommand {
    static let configuration = CommandConfiguration(
        leaf: "edit",
        abstract: "Change a landmark.",
        discussion: """
            Fields that are not given stay unchanged. An empty text removes an attribute. With --if-version, fields \
            that others have changed since that version stay too; if others have given one of your fields another \
            value, nothing is done (exit code 1), and both values are printed.

              waymark edit 01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5 --name "Icebergs Pool" --if-version 3
              waymark edit 01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5 --at -33.8952,151.2744 --rating 4.5
              waymark edit "Bondi Icebergs" --link ""
            """)

    @Argument(.reference, LandmarkReference.help)
    var id: LandmarkReference

    @Option(.text("name"), "The new name, 1 to 200 characters.")
    var name: String?

    @Option(.location, "The new position: \(Location.forms).")
    var at: Location?

    @OptionGroup var attributes: AttributeOptions

    @Option(
        word: "version",
        "Edit only if nobody has changed the same fields since this version. (default: any version)")
    var ifVersion: UInt64?

    @OptionGroup var asking: AskOptions

    func validate() throws {
        if name == nil, at == nil, !attributes.isGiven {
            let options = Attribute.allCases.map(\.option).joined(separator: ", ")
            throw ValidationError("There is nothing to change: give at least one of --name, --at, \(options).")
        }
    }

    func run(in session: Session) async throws {
        let (values, cleared) = try attributes.values()
        let edit = try LandmarkEdit(
            name: name, coordinate: at?.coordinate(session.output), attributes: values, cleared: cleared)
        let landmark = try await session.id(id)
        let written: Written
        if let ifVersion {
            written = try await session.client.merge(edit, into: landmark, since: ifVersion)
        } else {
            written = try await session.client.edit(landmark, edit)
        }
        try session.printWritten(
            written, "changed \(written.id) at revision \(written.rev), now version \(written.version)")
        session.tellOfTexts(edit.attributes)
    }
}
