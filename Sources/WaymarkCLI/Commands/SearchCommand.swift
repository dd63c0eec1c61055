// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkProtocol

struct SearchCommand: ServiceCommand {
    static let offersLast = true

    static let configuration = CommandConfiguration(
        leaf: "search",
        abstract: "Find landmarks by words in their name, user and notes.",
        discussion: """
            Every word must occur, as a whole word or as the beginning of one; case and accents do not matter. The \
            best match comes first; with --near the nearest.

              waymark search patiala
              waymark search bondi pool --near -33.8568,151.2153
            """)

    @Argument(help: ArgumentHelp("The words.", valueName: "text"))
    var words: [String]

    @Option(.location, "Nearest to this position first, with distance and bearing: \(Location.forms).")
    var near: Location?

    @Option(
        .count(upTo: WaymarkProtocol.pageRows),
        "The most to print, up to 1000. (default: your preference, else 20)")
    var limit: Int?

    @OptionGroup var filters: FilterOptions
    @OptionGroup var printing: HitOutputOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws { try filters.check(of: "search") }

    func run(in session: Session) async throws {
        let filter = try filters.filter()
        let here = try near?.coordinate(session.output)
        var printer = try printing.printer(session.output, isMeasured: near != nil)
        let limit = min(limit ?? session.preferences.limit ?? 20, WaymarkProtocol.pageRows)
        // Request one row more than the limit, to learn whether there are more results than are shown.
        let (page, isBehind) = try await session.client.freshSearch(
            words.typed, near: here, limit: min(limit + 1, WaymarkProtocol.pageRows), filter: filter,
            timeout: session.timeout)
        let hits = Array(page.hits.prefix(limit))
        session.keep(hits, isMeasured: near != nil)
        try printer.print(hits)
        let nothing = hits.isEmpty ? await session.nothing(of: filter) : nil
        try printer.finish(cursor: nil, showsCursor: false, nothing: nothing)
        if page.hits.count > limit {
            session.output.notice(
                "more",
                "There are more matches: make --limit larger, up to \(WaymarkProtocol.pageRows), or give more words.")
        }
        if isBehind { session.output.tellSearchIsBehind() }
        if page.isTruncated {
            session.output.notice("truncated", "There are more matches than a search examines: give more words.")
        }
        session.tell(page.freshness)
    }
}
