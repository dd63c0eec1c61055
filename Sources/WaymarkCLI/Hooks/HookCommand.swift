// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkJSON

/// The commands for hooks.
struct HookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hook",
        abstract: "Send changes to a URL, each at least once and in order.",
        discussion: """
            A hook keeps its place in the history. The services send each change that matches as a POST until the \
            receiver answers with a status of 200 to 299. A message is signed with the hook's secret as in Standard \
            Webhooks, and is a CloudEvent in JSON.

              waymark hook add arrivals https://example.com/in --fence harbour
              waymark hook test arrivals
              waymark hook list
              waymark hook failed arrivals

            A message that was refused for a day is kept on the list of failed ones, and the hook goes on. Hooks of \
            a database that was restored or copied are paused until resume.
            """,
        subcommands: [
            Add.self, List.self, Show.self, Test.self, Pause.self, Resume.self, Rotate.self, Remove.self, Failed.self,
            Redeliver.self,
        ])

    struct Add: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a hook and print its secret, which is shown only once.",
            discussion: """
                  waymark hook add arrivals https://example.com/in --fence harbour --op entered
                  waymark hook add all https://example.com/in --from start --batch 100
                """)

        @Argument(.text("name"), "The hook's name, 1 to 64 characters.") var name: String

        @Argument(.text("url"), "The receiver's URL, http or https.") var url: String

        @Option(
            ValueForm<HookStart>(word: "now|start|rev", read: Values.hookStart),
            "Begin with the next change, with the oldest one that is kept, or after a revision. (default: now)")
        var from: HookStart?

        @Option(.count(upTo: 1_000), "The most changes in a message. With 2 or more it is an array. (default: 1)")
        var batch: Int?

        @Option(.file, "Take the secret from the first line of this file: whsec_ and base64. (default: a new one)")
        var secretFile: String?

        @OptionGroup(title: "Which changes") var filters: FeedFilterOptions
        @OptionGroup(title: "Which changes") var changes: ChangeFilterOptions
        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            var hook = NewHook(name: name, url: url)
            hook.secret = try secretFile.map {
                String(decoding: try PasswordOptions.firstLine(of: $0, "secret"), as: UTF8.self)
            }
            hook.filter = try await filters.filter(in: session)
            try await changes.narrow(&hook.filter, in: session)
            (hook.fence, hook.batch, hook.start) = (filters.fence ?? "", batch ?? 1, from ?? .now)
            try session.print(try await session.client.hooks.add(hook))
        }
    }

    struct List: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List your hooks; administrators see all.",
            discussion: "  waymark hook list")

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let (hooks, head) = try await session.client.hooks.all()
            let none = "There are no hooks yet: \"waymark hook add\" adds one."
            let columns: [TextTable.Column] = [
                .init(title: "NAME", style: .bold), .init(title: "OWNER", dropsAt: 3, isOptional: true),
                .init(title: "STATE"), .init(title: "BEHIND", alignment: .right),
                .init(title: "DELIVERED", alignment: .right, dropsAt: 2),
                .init(title: "FAILED", alignment: .right, dropsAt: 1), .init(title: "URL", isFlexible: true),
            ]
            try session.output.list(hooks, columns, none: none, object: { $0.fields($1, head) }) {
                [
                    $0.name, $0.user.nilIfEmpty ?? "-", $0.word, $0.behind(head), Figures.count($0.delivered),
                    Figures.count($0.failed), $0.url,
                ]
            }
            if session.output.format == .text, hooks.contains(where: { $0.word != "active" }) {
                session.output.notice("inactive", "\"waymark hook show NAME\" says why a hook delivers nothing.")
            }
        }
    }

    struct Show: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print everything that is known about a hook, except for its secret.",
            discussion: "  waymark hook show arrivals")

        @Argument(.hook, "The hook's name.") var name: String

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let (hook, head) = try await session.client.hooks.find(name)
            guard session.output.format == .text else { return try session.output.object { $0.fields(hook, head) } }
            try session.output.block("hook \(hook.name)", hook.fields(head))
        }
    }
}

extension HookRequests {
    func all() async throws -> (hooks: [Hook], head: UInt64) {
        var head: UInt64 = 0
        let hooks = try await allPages { (last: Hook?) in
            let page = try await page(after: last?.id ?? 0)
            head = page.head
            return (page.hooks, page.hasMore)
        }
        return (hooks, head)
    }
}

extension JSONWriter {
    /// Writes a hook's fields, and `behind`: how many revisions come after its place.
    fileprivate mutating func fields(_ hook: Hook, _ head: UInt64) {
        fields(hook)
        field("behind", hook.lag(head))
    }
}

extension Values {
    static func hookStart(_ text: String) throws -> HookStart {
        try HookStart(text: text).orBad("it is now, start or a revision, such as 120.")
    }
}
