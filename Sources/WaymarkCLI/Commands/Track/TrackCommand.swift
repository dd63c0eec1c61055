// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkTransport

struct TrackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Move a landmark with a receiver's positions, or print its track.",
        discussion: """
              gpspipe -w | waymark track "ann's boat" --follow-position
              waymark track show "ann's boat" --since 1h -o gpx

            Others see the landmark move in tail, watch and on the map. Its track is kept for as long as storage's \
            retain.tracks says, and is removed with the landmark. A phone moves a landmark by itself with a key of "waymark \
            keys new --for track".
            """,
        subcommands: [FollowCommand.self, TrackShowCommand.self, TrackEraseCommand.self],
        defaultSubcommand: FollowCommand.self)
}

struct FollowCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Move a landmark of yours to each position on stdin.",
        discussion: """
            Moves your landmark with this name; if you have none, the first position adds it. Each position is one \
            revision and one point of the track, with the receiver's time, or the time when the line came. While no \
            service answers, positions wait and are sent later, in their order. The command ends with stdin.

              gpspipe -w | waymark track "ann's boat" --follow-position
              waymark track walk --follow-position < walk.nmea
            """)
    static let needsUser = true

    @Argument(.text("name"), "The landmark's name, 1 to 200 characters.")
    var name: String

    @Flag(help: "Read positions from stdin: \(PositionLines.help).")
    var followPosition = false

    @Option(help: ArgumentHelp("The kind of the landmark, if it is added.", valueName: "kind"))
    var kind = "person"

    @Flag(name: [.short, .long], help: "Do not print each move.")
    var quiet = false

    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: LiveOptions

    func validate() throws {
        try refuse(
            if: !followPosition,
            "Give --follow-position and positions on stdin; \"waymark track show NAME\" prints a track.")
        try checked { _ = try LandmarkRules.name(name) }
    }

    func run(in session: Session) async throws {
        let fixes = FixQueue(Surroundings.current, session.output) { WallClock.milliseconds }
        let run = TrackRun(session: session, name: try LandmarkRules.name(name), kind: kind, isQuiet: quiet)
        try await untilOneEnds(within: connection.timeout, [{ try await run.follow(fixes) }])
    }
}
