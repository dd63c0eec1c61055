// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkJSON
import WaymarkTransport

struct TrackEraseCommand: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase the track of a landmark of yours, for good.",
        discussion: """
              waymark track erase "ann's boat" --before 30d
              waymark track erase --all

            The landmark stays where it is. Backups that exist already keep the points.
            """)

    @Argument(.reference, "The landmark's id, the beginning of the id, or the name.")
    var reference: LandmarkReference?

    @Flag(help: "Erase the tracks of all your landmarks.")
    var all = false

    @Option(.moment, "Only points before a time ago (30d) or a time. (default: all)")
    var before: Moment?

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var asking: AskOptions

    func validate() throws {
        try refuse(if: (reference == nil) != all, "Give either a landmark or --all.")
        if case .revision? = before { throw ValidationError("--before is a time: a track is ordered by times.") }
    }

    func run(in session: Session) async throws {
        var landmark: Landmark.ID?
        if let reference { landmark = try await session.id(reference) }
        try confirmation.confirm(
            all
                ? "This erases the tracks of all your landmarks for ever. Continue?"
                : "This erases the track for ever. Continue?")
        let time = before?.time(now: WallClock.milliseconds)
        let erased = try await session.client.tracks.erase(of: landmark, before: time)
        try session.output.result("\(Figures.count(erased, "point", "points")) erased") { $0.field("points", erased) }
    }
}
