// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient

struct ListCommand: FindCommand {
    static let configuration = CommandConfiguration(
        leaf: "list",
        abstract: "Print landmarks, latest change first.",
        discussion: """
            Prints the 100 landmarks that changed last, unless another order or number is given. With --all the order \
            is by name, unless another one is given.

              waymark list --by name --limit 500
              waymark list --user ann --near -33.8568,151.2153
              waymark list --within -34,151,-33.5,151.5
              waymark list --fence harbour
              waymark list --all -o geojson > all.geojson
            """)

    enum Order: String, CaseIterable, ExpressibleByArgument {
        case name, recent
    }

    @Option(
        word: "order", "The order: recent (changed last first) or name. (default: recent; with --all name)")
    var by: Order?

    @Option(.location, "Nearest to this position first, with distance and bearing: \(Location.forms).")
    var near: Location?

    @Option(.count, "Print this many, latest change first: short for --by recent --limit.")
    var recent: Int?

    @Option(.count, "The most to print. (default: your preference, else 100)")
    var limit: Int?

    @OptionGroup var finding: FindOptions
    @OptionGroup var printing: HitOutputOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        try finding.check(of: "list", with: limit != nil || recent != nil)
        try refuse(
            if: near != nil && (by != nil || recent != nil),
            "--near sets the order: leave --by and --recent out.")
        try refuse(
            if: recent != nil && (by == .name || limit != nil),
            "--recent sets order and number: leave --by and --limit out.")
    }

    func run(in session: Session) async throws {
        let filter = try await finding.filter(in: session)
        let here = try near?.coordinate(session.output)
        // A complete list is ordered by name. In a list ordered by recency, a landmark that changes meanwhile would
        // move to a page that was printed already, and so be missed.
        let by = by ?? (finding.all ? .name : .recent)
        let order: ListOrder = near != nil ? .byDistance : by == .name ? .byName : .byRecent
        let most = recent ?? limit ?? session.preferences.limit ?? 100
        let (printer, opening) = (
            try printing.printer(session.output, isMeasured: near != nil), finding.opening(printing.output)
        )
        try await session.printPages(of: finding, filter, atMost: most, to: printer) {
            limit, cursor throws(ClientError) in
            try await session.client.list(
                order, near: here, limit: limit, filter: filter, opening: opening, after: cursor)
        }
    }
}
