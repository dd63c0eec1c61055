// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import WaymarkClient

struct NearCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "near",
        abstract: "Print the landmarks nearest to a position.",
        discussion: """
            Nearest first, in true order of distance on the WGS84 ellipsoid, with the bearing from the position. No \
            radius is needed; one that is given is a hard limit.

              waymark near -33.8568,151.2153
              waymark near -33.8568,151.2153 --radius 5km --kind beach -o json
            """)

    @Argument(
        help: ArgumentHelp("The position: latitude and longitude in degrees.", valueName: "lat,lon"),
        transform: Values.position)
    var position: Coordinate

    @Option(help: ArgumentHelp("At most so many. (default: 20)", valueName: "count"), transform: Values.count)
    var limit: Int = 20

    @Option(
        help: ArgumentHelp(
            "Nothing farther than this: metres, or with m, km or mi. (default: no limit)", valueName: "distance"),
        transform: Values.distance)
    var radius: Double?

    @Option(
        help: ArgumentHelp(
            "Nothing nearer than this: metres, or with m, km or mi. (default: 0m)", valueName: "distance"),
        transform: Values.distance)
    var minDistance: Double?

    @Option(
        help: ArgumentHelp(
            "Answer only from this revision or a later one, so that a write of yours is seen. (default: what there is)",
            valueName: "rev"))
    var atLeast: UInt64?

    @OptionGroup var filters: FilterOptions
    @OptionGroup var pages: PageOptions
    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if let radius, let minDistance, radius < minDistance {
            throw ValidationError("Nothing is both within --radius and beyond --min-distance: make the radius larger.")
        }
    }

    func run(in session: Session) async throws {
        let filter = try filters.filter()
        let position = try await session.position(atLeast: atLeast)
        try await session.printPages(
            limit, from: pages.after, isMeasured: true, showsCursor: pages.showCursor
        ) { limit, cursor throws(ClientError) in
            try await session.client.near(
                self.position, limit: limit, radius: radius, minDistance: minDistance, filter: filter, after: cursor,
                atLeast: position)
        }
    }
}
