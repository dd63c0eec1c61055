// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkJSON
import WaymarkProtocol

/// The commands for fences.
struct FenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fence",
        abstract: "Keep areas under a name, and see who is inside.",
        discussion: """
            A fence is an area, or another filter, with a name. Where a command takes --within, it takes --fence too, \
            and so does a hook.

              waymark fence add harbour --near -33.8568,151.2153 --radius 500m
              waymark fence add pools --within sydney.geojson --kind pool
              waymark fence show harbour
              waymark tail --fence harbour

            A fence never changes: to add one under its name again replaces it. Commands and hooks that began before \
            keep the former filter.
            """,
        subcommands: [Add.self, List.self, Show.self, Remove.self])

    struct Add: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Keep a filter under a name, or replace your fence of that name.",
            discussion: "  waymark fence add harbour --near -33.8568,151.2153 --radius 500m --kind boat")

        @Argument(.text("name"), "The fence's name, 1 to 64 characters.") var name: String

        @Flag(name: .customLong("private"), help: "Let links show no position of your landmarks within it.")
        var isPrivate = false

        @OptionGroup var filters: FeedFilterOptions
        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let filter = try await filters.filter(in: session)
            guard !filter.isEmpty else {
                throw Failure.usage("A fence needs a condition: give --near and --radius, --within or another one.")
            }
            let fence = try await session.client.fences.add(name, filter, isPrivate: isPrivate)
            try session.output.result("kept \(Escaping.visible("\(fence.name): \(fence.filter.words)"))") {
                $0.fields(fence)
            }
        }
    }

    struct List: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List all fences.", discussion: "  waymark fence list")

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let fences = try await allPages { (last: Fence?) in
                try await session.client.fences.page(after: last?.name ?? "")
            }
            let none = "There are no fences yet: \"waymark fence add\" keeps one."
            let columns: [TextTable.Column] = [
                .init(title: "NAME", style: .bold), .init(title: "OWNER", dropsAt: 1, isOptional: true),
                .init(title: "CREATED", dropsAt: 2), .init(title: "FILTER", isFlexible: true),
            ]
            try session.output.list(fences, columns, none: none, object: { $0.fields($1) }) {
                [$0.name, $0.user.nilIfEmpty ?? "-", Timestamp.local($0.created), $0.filter.words]
            }
        }
    }

    struct Show: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print a fence, and who is inside now.",
            discussion: """
                  waymark fence show harbour

                As JSON, inside has the landmarks by name, and more says whether there are others. It is null if the \
                fence has several users or sources, or more than 100 kinds.
                """)

        @Argument(.fence, "The fence's name.") var name: String

        @Option(.count(upTo: WaymarkProtocol.pageRows), "The most landmarks to print. (default: 100)")
        var limit: Int?

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let (fence, output) = (try await session.client.fences.find(name), session.output)
            var page: HitPage?
            if let filter = LandmarkFilter(fence.filter) {
                page = try await session.client.list(.byName, limit: limit ?? 100, filter: filter)
            }
            let hasMore = page?.cursor != nil
            guard output.format == .text else {
                return try output.object {
                    $0.fields(fence)
                    $0.array("inside", page?.hits.map(\.landmark))
                    $0.field("more", hasMore)
                }
            }
            try output.block(
                "fence \(fence.name)",
                [
                    ("filter", fence.filter.words), ("owner", fence.user.nilIfEmpty ?? "-"),
                    ("created", Timestamp.local(fence.created)), ("private", fence.isPrivate ? "yes" : nil),
                ])
            guard let page else { return output.notice("too_many", LandmarkFilter.tooMany(of: fence.name)) }
            try output.line("")
            var printer = HitPrinter(output, as: .text, isMeasured: false)
            try printer.print(page.hits)
            try printer.finish(cursor: nil, showsCursor: false, nothing: "Nobody is inside.")
            if hasMore {
                output.notice("more", "There are more inside: \"waymark list --fence \(fence.name) --all\" prints all.")
            }
            session.tell(page.freshness)
        }
    }

    struct Remove: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a fence; hooks and commands that use it go on.",
            discussion: "  waymark fence remove harbour")

        @Argument(.fence, "The fence's name.") var name: String

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            try await session.client.fences.remove(name)
            try session.output.result("removed \(Escaping.visible(name))") { $0.field("removed", name) }
        }
    }
}

extension Output {
    /// Prints a thing with its fields, for people. Fields without a value are left out.
    func block(_ title: String, _ fields: [(name: String, value: String?)]) throws(SinkError) {
        try line(painter.paint(Escaping.visible(title), .bold))
        let width = 2 + (fields.map(\.name.count).max() ?? 0)
        try lines(
            fields.compactMap { field in
                field.value.map { value in
                    let space = String(repeating: " ", count: width - field.name.count)
                    return "  \(painter.paint(field.name, .dim))\(space)\(Escaping.visible(value))"
                }
            })
    }
}
