// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import WaymarkClient
import WaymarkJSON
import WaymarkTransport

/// The commands for links that end.
struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Make links that show a landmark or an area, and end them.",
        discussion: """
              waymark share "ann's boat" --for 2h --track
              waymark share --fence harbour --for 7d --label Regatta
              waymark share list
              waymark share end 3f2a

            Whoever has the link sees the landmark or the area, live, without an account, and can change nothing. The \
            link is printed only once. Within your private fences it shows no position: see "waymark fence add \
            --private".
            """,
        subcommands: [New.self, List.self, End.self], defaultSubcommand: New.self)

    struct New: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Make a link and print it.",
            discussion: "  waymark share new \"ann's boat\" --for 2h --track")

        @Argument(.reference, "The landmark's id, its beginning, or the name. (default: the area)")
        var landmark: LandmarkReference?

        @Option(.lasting, name: .customLong("for"), "End the link after this time, such as 2h or 7d. (default: never)")
        var lasting: Duration?

        @Flag(help: "Also show the landmark's track.") var track = false

        @Option(.text("text"), "The link's name, which is shown, up to 64 characters. (default: none)")
        var label: String?

        @OptionGroup(title: "Which area") var filters: FeedFilterOptions
        @OptionGroup var web: WebAddressOptions
        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let filter = try await filters.filter(in: session)
            let target: Grant.Target
            switch (landmark, filter.isEmpty) {
            case (let reference?, true): target = .landmark(try await session.id(reference))
            case (nil, false):
                guard LandmarkFilter(filter) != nil else {
                    throw Failure.usage(
                        "A link takes one user, one source and \(LandmarkFilter.mostKinds) kinds at most.")
                }
                target = .area(filter)
            default:
                throw Failure.usage(
                    "A link shows one landmark or an area: name a landmark, or give --within or --fence.")
            }
            let token = GrantToken()
            let link = try await session.client.grants.add(
                token, .see, target, label: label ?? "", expires: lasting?.fromNow, showsTrack: track)
            let url = "\(web.site(of: session))/share#\(token)"
            try session.output.result(url) {
                $0.link(link)
                $0.field("url", url)
            }
        }
    }

    struct List: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List your links; moderators see all.", discussion: "  waymark share list")

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let links = try await session.client.grants.all(.see)
            let columns: [TextTable.Column] = [
                .init(title: "FINGERPRINT", style: .bold), .init(title: "OWNER", dropsAt: 2, isOptional: true),
                .init(title: "ENDS"), .init(title: "LABEL", dropsAt: 1), .init(title: "SHOWS", isFlexible: true),
            ]
            let none = "There are no links: \"waymark share NAME\" makes one."
            try session.output.list(links, columns, none: none, object: { $0.link($1) }) {
                [
                    "\(Fingerprint($0.digest))", $0.user.nilIfEmpty ?? "-",
                    $0.expires.map { Timestamp.local($0) } ?? "by hand", $0.label, $0.words,
                ]
            }
        }
    }

    struct End: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "end", abstract: "End a link at once, also for those who look at it.",
            discussion: "  waymark share end 3f2a:91c0")

        @Argument(.text("fingerprint"), "The link's fingerprint, or its beginning.") var fingerprint: String

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let link = try await session.client.grants.all(.see).only(
                beginningWith: fingerprint,
                or: "No link's fingerprint begins with that: copy one from \"waymark share list\"."
            ) { "\(Fingerprint($0.digest))" }
            try await session.client.grants.end(link.digest)
            try session.output.result("\(Fingerprint(link.digest)) is ended") { $0.link(link) }
        }
    }
}

extension Grant {
    /// The content of a link, for people.
    fileprivate var words: String {
        switch target {
        case .landmark(let id): FeedFilter(ids: [id]).words + (showsTrack ? ", with its track" : "")
        case .area(let filter): filter.words
        }
    }
}

extension Duration {
    /// The time after this duration, in Unix milliseconds.
    var fromNow: UInt64 { WallClock.milliseconds &+ UInt64(max(0, self / .milliseconds(1))) }
}
