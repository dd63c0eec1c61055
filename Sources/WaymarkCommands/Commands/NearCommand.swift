// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import WaymarkClient
import WaymarkProtocol

extension NearRank: ExpressibleByArgument {}

struct NearCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "near",
        abstract: "Print the landmarks nearest to a position.",
        discussion: """
            Nearest first, in true order of distance on the WGS84 ellipsoid, with the bearing from the position. A \
            radius is optional; if given, it is a hard limit.

              waymark near -33.8568,151.2153
              waymark near -33.8568 151.2153 --radius 5km --kind beach -o json
              waymark near "33°51'24\"S 151°12'55\"E" --units mi
              waymark near -33.8568,151.2153 -o geojson > near.geojson
              waymark near -33.8568,151.2153 --within harbour.geojson
              waymark near -33.8568,151.2153 --kind cafe --open
              waymark near -33.8568,151.2153 --kind cafe --rank prominence --radius 2km
            """)

    @Argument(
        help: ArgumentHelp("The position: latitude and longitude in degrees, in one word or two.", valueName: "lat,lon")
    )
    var words: [String]

    func position() throws -> Coordinate { try PositionWords.coordinate(words) }

    @Option(help: ArgumentHelp("The most to print. (default: 20)", valueName: "count"), transform: Values.count)
    var limit: Int = 20

    @Option(
        help: ArgumentHelp(
            "The greatest distance: metres, or with m, km or mi. (default: no limit)", valueName: "distance"),
        transform: Values.distance)
    var radius: Double?

    @Option(
        help: ArgumentHelp(
            "The least distance: metres, or with m, km or mi. (default: 0m)", valueName: "distance"),
        transform: Values.distance)
    var minDistance: Double?

    @Option(
        help: ArgumentHelp(
            "Wait until the answer includes this revision, such as that of your own write. (default: do not wait)",
            valueName: "rev"))
    var atLeast: UInt64?

    @Option(
        help: ArgumentHelp(
            "The order: distance, or prominence (best rated first, within a --radius of up to 48280m).",
            valueName: "order"))
    var rank = NearRank.distance

    @OptionGroup var openings: OpeningOptions
    @OptionGroup var filters: FilterOptions
    @OptionGroup var place: AreaOptions
    @OptionGroup var pages: PageOptions
    @OptionGroup var printing: HitOutputOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        try checked { _ = try position() }
        try filters.check(of: "near")
        if rank == .prominence {
            guard let radius, radius <= WaymarkProtocol.prominenceMetres else {
                throw ValidationError("--rank prominence looks within a radius: give --radius, up to 48280m.")
            }
        }
        if let radius, let minDistance, radius < minDistance {
            throw ValidationError("--radius is smaller than --min-distance: make the radius larger.")
        }
    }

    func run(in session: Session) async throws {
        var filter = try filters.filter()
        filter.area = place.within
        let here = try position()
        let least = try await session.position(atLeast: atLeast)
        try await session.printPages(
            limit, from: pages.after,
            HitPrinter(session.output, as: printing.output, isMeasured: true, unit: try printing.units.unit()),
            showsCursor: pages.showCursor, filter: filter
        ) { limit, cursor throws(ClientError) in
            try await session.client.near(
                here, limit: limit, radius: radius, minDistance: minDistance, rank: rank, filter: filter,
                opening: openings.question(printing.output), after: cursor, atLeast: least)
        }
    }
}
