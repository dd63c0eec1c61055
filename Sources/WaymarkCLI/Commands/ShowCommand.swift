// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkJSON

struct ShowCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        leaf: "show",
        abstract: "Print one landmark with its notes, its source and its history.",
        discussion: """
              waymark show "Bondi Icebergs"
              waymark show 01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5 -o json | jq .notes

            A name must belong to one landmark only, or to one of yours only.

            As JSON this is one object: the landmark's keys, then history[{rev at op user version changed}], newest \
            first, where changed lists the changed fields, and history_cut, which is true when older revisions are no \
            longer kept.
            """)

    @Argument(.reference, LandmarkReference.help)
    var id: LandmarkReference

    @Option(.count, "The most revisions of the history to print. (default: 100)")
    var history: Int = 100

    @OptionGroup var printing: HitOutputOptions
    @OptionGroup var connection: ConnectionOptions

    func run(in session: Session) async throws {
        let found = try await session.client.show(try await session.id(id), history: history)
        if printing.output == .geojson {
            return try session.output.out.write(GeoJSON.feature(Hit(landmark: found.landmark)) + [UInt8(ascii: "\n")])
        }
        if ListForm(rawValue: printing.output.rawValue) != nil {
            var printer = try printing.printer(session.output, isMeasured: false)
            try printer.print([Hit(landmark: found.landmark)])
            return try printer.finish(cursor: nil, showsCursor: false)
        }
        let changes = await found.entries.changes(asking: session.client)
        guard session.output.format == .text else { return try session.output.object { $0.fields(found, changes) } }
        let lines = LandmarkBlock.lines(
            found, session.output.painter, changes: changes, width: session.output.width,
            unit: try printing.units.unit(), opening: await opening(of: found.landmark, session))
        try session.output.lines(lines)
    }

    /// Returns the state of the landmark's opening hours now. The query service tells it, because it knows the time
    /// zones; it finds the landmark by its coordinate. The landmark itself comes from storage. Nil if the query service
    /// has another version of the landmark than storage.
    private func opening(of landmark: Landmark, _ session: Session) async -> String? {
        guard !landmark.openingHours.isEmpty,
            let page = try? await session.client.near(
                landmark.coordinate, limit: 200, radius: 0, opening: OpeningQuestion()),
            let moment = page.openingAt,
            let opening = page.hits.first(where: { $0.landmark == landmark })?.opening
        else { return nil }
        // If the state never changes, the time zone makes no difference: do not mention that the zone is assumed.
        let zone = opening.isZoneAssumed && opening.until != nil ? opening.zone : nil
        return OpeningText.of(opening, at: moment) + (zone.map { ", in the assumed time zone \($0)" } ?? "")
    }
}
