// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import WaymarkClient
import WaymarkJSON

/// Options that select landmarks.
struct FilterOptions: ParsableArguments {
    @Option(.kind, "Only landmarks of this kind, such as beach or train_station. Repeat it for several.")
    var kind: [String] = []

    @Option(.user, "Only landmarks that this user added.")
    var user: [String] = []

    @Option(.source, "Only landmarks that came from this source.")
    var source: [String] = []

    func filter() throws(InvalidInput) -> LandmarkFilter {
        // Values are converted to the form in which they are stored: "Train Station" is the kind train_station.
        LandmarkFilter(
            kinds: try kind.map { text throws(InvalidInput) in try LandmarkRules.kind(text) },
            user: try user.first.map { text throws(InvalidInput) in try LandmarkRules.user(text) },
            source: try source.first.map { text throws(InvalidInput) in try LandmarkRules.source(text) })
    }

    /// Refuses several users or sources. A request carries one user and one source, so the other values would be
    /// ignored silently.
    func check(of command: String) throws {
        try refuse(
            if: kind.count > LandmarkFilter.mostKinds, "\(command) takes \(LandmarkFilter.mostKinds) kinds at most.")
        for (option, values) in [("--user", user), ("--source", source)] where values.count > 1 {
            throw ValidationError(
                "\(command) takes only one \(option): run it once for each. (tail takes several.)")
        }
    }
}

/// The options of commands that print landmarks page by page: the filter, the opening hours, the cursor where the list
/// continues, and whether to print the whole list.
struct FindOptions: ParsableArguments {
    @Flag(help: "Only landmarks that are known to be open now.")
    var open = false

    @Option(
        ValueForm<UInt64>(word: "time", read: Values.time),
        "Only landmarks that are known to be open at this RFC 3339 time: 2026-03-01T09:30:00+11:00.")
    var openAt: UInt64?

    @Flag(help: "With -o json and geojson: say whether each landmark is open, as text output does.")
    var hours = false

    @OptionGroup var filters: FilterOptions

    @Option(.area, "Only between these parallels and meridians, in degrees, or within the polygon of a GeoJSON file.")
    var within: Area?

    @Option(.fence, ArgumentHelp.fence)
    var fence: String?

    @Flag(
        help: """
            Print all landmarks, however many, each page as soon as it is read. If the list breaks off, the exit code \
            is not 0, and a notice says where to go on.
            """)
    var all = false

    @Option(
        ValueForm<Data>(word: "cursor", read: Values.cursor),
        "Continue after the page that ended with this cursor. Keep the other options.")
    var after: Data?

    @Flag(
        help: """
            With -o json: print a last object {"cursor":"…"} for --after, null after the last page. Without it the \
            cursor is printed on stderr.
            """)
    var showCursor = false

    func validate() throws {
        try refuse(if: open && openAt != nil, "--open means now: leave out either --open or --open-at.")
        try refuse(if: fence != nil && within != nil, "--fence stands in place of an area: leave --within out.")
    }

    /// - Parameter number: whether the person has given a number of landmarks.
    func check(of command: String, with number: Bool) throws {
        try filters.check(of: command)
        try refuse(if: all && number, "--all prints every landmark: leave out either --all or the number.")
    }

    func filter(in session: Session) async throws -> LandmarkFilter {
        var filter = try filters.filter()
        filter.area = within
        return try await session.filter(fence, narrowedBy: filter)
    }

    /// The question about opening hours; nil if no option asks about them.
    func opening(_ form: HitForm) -> OpeningQuestion? {
        if open || openAt != nil { return OpeningQuestion(at: openAt, isFilter: true) }
        return hours || form == .text ? OpeningQuestion() : nil
    }
}

/// A command that prints landmarks page by page.
protocol FindCommand: ServiceCommand where Connection == ConnectionOptions, Printing == HitOutputOptions {
    var finding: FindOptions { get }
}

extension FindCommand {
    static var offersLast: Bool { true }
}

extension Values {
    /// Reads a time in RFC 3339 and returns Unix milliseconds.
    static func time(_ text: String) throws -> UInt64 {
        try Timestamp.milliseconds(rfc3339: text).flatMap { $0 > 0 ? $0 : nil }
            .orBad("it is a time of RFC 3339, with its offset: 2026-03-01T09:30:00+11:00.")
    }
}
