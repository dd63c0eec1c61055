// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

struct WatchCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        leaf: "watch",
        abstract: "Show the landmarks nearest to a position, live.",
        discussion: """
            Shows the list that near prints, and redraws it in place whenever a landmark or the position changes. New \
            landmarks are green for some seconds, changed ones yellow; without colour they have a + or a * in front. \
            If stdout is no terminal, the list is printed again instead.

              waymark watch --near -33.8568,151.2153
              waymark watch --near Sydney --fence harbour
              waymark watch --near -33.8568,151.2153 --radius 2km --kind beach --limit 5
              gps | waymark watch --near -33.8568,151.2153 --follow-position -o json

            As JSON there is one object for each change of the list, each with rev: entered (id, rank, distance_m, \
            bearing_deg, landmark), left (id, rank), moved (id, from, to, distance_m, bearing_deg) and changed (id, \
            rank, landmark). The first list comes as entered objects. Ctrl-C ends the command.
            """)

    @Option(.location, "The position: \(Location.forms).")
    var near: Location

    @Option(
        .count(upTo: WaymarkProtocol.pageRows), name: [.customShort("n", allowingJoined: true), .long],
        "The most landmarks to show, up to 1000. (default: 20)")
    var limit: Int = 20

    @Option(.distance, "The greatest distance: metres, or with m, km or mi. (default: no limit)")
    var radius: Double?

    @Option(.fence, ArgumentHelp.fence)
    var fence: String?

    @Flag(
        help: """
            Read positions from stdin: \(PositionLines.help). The list is for the last position, also after the end \
            of stdin.
            """)
    var followPosition = false

    @Flag(name: [.short, .long], help: "Do not report lost and restored connections on stderr.")
    var quiet = false

    @OptionGroup var filters: FilterOptions
    @OptionGroup var units: UnitOptions
    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: LiveOptions

    func validate() throws { try filters.check(of: "watch") }

    func run(in session: Session) async throws {
        let surroundings = Surroundings.current
        if surroundings.ownsProcess {
            Signals.endWhenStdoutCloses()
            Signals.beforeTheEnd { [output = session.output] in
                if output.format == .text, surroundings.errWidth != nil { output.errorLine("") }
            }
        }
        let filter = try await session.filter(fence, narrowedBy: try filters.filter())
        let query = WatchQuery(limit: limit, radius: radius, filter: filter, follows: followPosition)
        let state = WatchState(at: try near.coordinate(session.output))
        let screen = WatchScreen(session.output, surroundings, unit: try units.unit())
        surroundings.whenResized { screen.redraw() }
        if followPosition {
            startDetachedThread("waymark-stdin") { [output = session.output] in
                surroundings.readFixes(output) { state.move(to: $0.place) }
            }
        }
        try await WatchRun(
            session: session, query: query, state: state, screen: screen, isQuiet: quiet
        ).run(for: connection.timeout)
    }
}

/// The query whose result `watch` shows.
struct WatchQuery: Sendable {
    var limit = 20
    var radius: Double?
    var filter = LandmarkFilter()
    /// Whether the centre may move during the run.
    var follows = false

    /// Returns a filter for the feed that passes every change that may affect the list.
    func feedFilter(around here: Coordinate) -> FeedFilter {
        var feed = filter.feed
        // The area is slightly larger than the radius, so that the service decides about landmarks at the edge.
        if let radius, !follows, feed.area == nil {
            feed.area = try? .circle(at: here, radius: min(radius + 1, Area.greatestRadius))
        }
        return feed
    }
}
