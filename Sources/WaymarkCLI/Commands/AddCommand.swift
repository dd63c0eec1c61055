// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpeningHours
import WaymarkClient

struct AddCommand: WritingCommand {
    static let configuration = CommandConfiguration(
        leaf: "add",
        abstract: "Add a landmark.",
        discussion: """
            Prints the landmark's id and the revision of the write. When the command returns, the landmark survives a \
            power loss. Adding needs a user: set your name once with "waymark user set NAME".

              waymark add "Bondi Icebergs" -33.8951,151.2745 --kind pool --link https://icebergs.com.au
              waymark add "Qila Mubarak" "Patiala, Punjab"
              waymark add "Hornby Lighthouse" -33.8337,151.2808 --note "Best at sunset."
            """)

    @Argument(.text("name"), "The landmark's name, 1 to 200 characters.")
    var name: String

    @Argument(.text("lat,lon"), "The landmark's position: \(Location.forms), in one word or several.")
    var words: [String]

    @OptionGroup var attributes: AttributeOptions

    @Option(.text("text"), "A first note, 1 to 10,000 characters. (default: none)")
    var note: String?

    @Option(.lasting, "Remove the landmark after this time, such as 2h or 7d. (default: never)")
    var expires: Duration?

    @OptionGroup var asking: AskOptions

    func validate() throws { try checked { _ = try Location(words: words) } }

    func run(in session: Session) async throws {
        let draft = try LandmarkDraft(
            name: name, coordinate: Location(words: words).coordinate(session.output),
            attributes: attributes.values().attributes)
        let note = try note.map { text throws(InvalidInput) in try LandmarkRules.note(text) }
        let written = try await session.client.add(draft, note: note, expires: expires?.fromNow)
        try session.printWritten(written, "added \(written.id) at revision \(written.rev)")
        session.tellOfTexts(draft.attributes)
    }
}

extension Session {
    /// Prints the result of a write: a line for people, or `{"id","rev","version","note","unchanged"}`.
    func printWritten(_ written: Written, _ text: String) throws(SinkError) {
        let unchanged = "unchanged: \(written.id) has had these values since revision \(written.rev)"
        try output.result(written.isUnchanged ? unchanged : text) { $0.fields(written) }
    }

    /// Prints a notice for each value that is kept as text although programs cannot read it.
    func tellOfTexts(_ attributes: Attributes) {
        if !attributes.link.isEmpty, !LandmarkRules.hasScheme(attributes.link) {
            output.notice(
                "link_without_scheme", "The link has no scheme such as https: and is kept as plain text.")
        }
        guard !attributes.openingHours.isEmpty else { return }
        do throws(OpeningHoursError) { _ = try OpeningHours(attributes.openingHours) } catch {
            output.notice(
                "unreadable_hours",
                "The opening hours cannot be read (\(error)) and are kept as plain text: whether it is open is unknown."
            )
        }
    }
}
