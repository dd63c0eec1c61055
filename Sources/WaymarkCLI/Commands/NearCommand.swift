// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkProtocol

extension NearRank: ExpressibleByArgument {}

struct NearCommand: FindCommand {
    static let configuration = CommandConfiguration(
        leaf: "near",
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

    @Argument(.text("lat,lon"), "The position: \(Location.forms), in one word or several.")
    var words: [String]

    @Option(.count, "The most to print. (default: your preference, else 20)")
    var limit: Int?

    @Option(.distance, "The greatest distance: metres, or with m, km or mi. (default: no limit)")
    var radius: Double?

    @Option(.distance, "The least distance: metres, or with m, km or mi. (default: 0m)")
    var minDistance: Double?

    @Option(
        word: "rev",
        "Wait until the answer includes this revision, such as that of your own write. (default: do not wait)")
    var atLeast: UInt64?

    @Option(
        word: "order",
        """
        The order: distance, or prominence (best rated first, within a --radius of up to 48280m). (default: your \
        preference, else distance)
        """)
    var rank: NearRank?

    @OptionGroup var finding: FindOptions
    @OptionGroup var printing: HitOutputOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        try checked { _ = try Location(words: words) }
        try finding.check(of: "near", with: limit != nil)
        if let radius, let minDistance, radius < minDistance {
            throw ValidationError("--radius is smaller than --min-distance: make the radius larger.")
        }
    }

    /// Returns the order and the radius, from the options or else from the person's preferences.
    private func order(_ preferences: Preferences) throws(Failure) -> (rank: NearRank, radius: Double?) {
        let rank = rank ?? preferences.rank ?? .distance
        guard rank == .prominence else { return (rank, radius) }
        guard let radius = radius ?? preferences.radius, radius <= WaymarkProtocol.prominenceMetres else {
            throw .usage(
                "--rank prominence looks within a radius of up to 48280m: give --radius, or set one with "
                    + "\"waymark preferences set radius 5km\".")
        }
        return (rank, radius)
    }

    func run(in session: Session) async throws {
        let (rank, radius) = try order(session.preferences)
        let filter = try await finding.filter(in: session)
        let here = try Location(words: words).coordinate(session.output)
        var least: Position?
        // The revision is one of the service's present history.
        if let atLeast { least = Position(epoch: try await session.client.hello().position.epoch, rev: atLeast) }
        let most = limit ?? session.preferences.limit ?? 20
        let printer = try printing.printer(session.output, isMeasured: true)
        try await session.printPages(of: finding, filter, atMost: most, to: printer) {
            limit, cursor throws(ClientError) in
            try await session.client.near(
                here, limit: limit, radius: radius, minDistance: minDistance, rank: rank, filter: filter,
                opening: finding.opening(printing.output), after: cursor, atLeast: least)
        }
    }
}
