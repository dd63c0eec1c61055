// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkJSON

/// The choice of one hook or of all.
struct HookChoice: ParsableArguments {
    @Argument(.hook, "The hook's name.") var name: String?

    @Flag(help: "All your hooks; for administrators, everybody's.")
    var all = false

    func validate() throws {
        try refuse(if: (name == nil) != all, "Give the name of a hook, or --all.")
    }

    /// Makes a change, and prints the state of the hooks.
    func make(_ change: HookChange, in session: Session) async throws {
        var hooks = try await session.client.hooks.change(name, change)
        // The answer to a change of many hooks has only the first of them.
        if all { hooks = try await session.client.hooks.all().hooks }
        if hooks.isEmpty { return session.output.notice("none", "There are no hooks.") }
        for hook in hooks {
            let reason = hook.reason.isEmpty ? "" : ", \(hook.reason)"
            try session.output.result(Escaping.visible("\(hook.name) is \(hook.state.rawValue)\(reason)")) {
                $0.fields(hook)
            }
        }
    }
}

extension HookCommand {
    struct Pause: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause", abstract: "Deliver nothing until resume; the hook keeps its place.",
            discussion: "  waymark hook pause arrivals")

        @OptionGroup var choice: HookChoice
        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            try await choice.make(.pause, in: session)
        }
    }

    struct Resume: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume", abstract: "Deliver again what came since, or only what comes from now on.",
            discussion: """
                  waymark hook resume arrivals
                  waymark hook resume --all --from now

                After a restore or a copy of the database all hooks are paused, so that a test of a backup sends \
                nothing to anybody.
                """)

        @OptionGroup var choice: HookChoice

        @Option(
            ValueForm<HookStart>(word: "now|rev", read: Values.hookStart),
            "Leave out the changes before now, or up to a revision. (default: its place)")
        var from: HookStart?

        @OptionGroup var asking: AskOptions

        func validate() throws {
            try refuse(if: from == .oldest, "A hook resumes from now or after a revision: \"start\" is only for add.")
        }

        func run(in session: Session) async throws {
            try await choice.make(.resume(from), in: session)
        }
    }

    struct Rotate: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate", abstract: "Make a new secret and print it, which is done only once.",
            discussion: """
                  waymark hook rotate arrivals

                For 24 hours messages are also signed with the former secret.
                """)

        @Argument(.hook, "The hook's name.") var name: String

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            for hook in try await session.client.hooks.change(name, .rotate) { try session.print(hook) }
        }
    }

    struct Remove: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a hook with its place and its failed messages.",
            discussion: "  waymark hook remove arrivals")

        @Argument(.hook, "The hook's name.") var name: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            try confirmation.confirm("This removes the hook \(name), its place and its messages for ever. Continue?")
            try await session.client.hooks.change(name, .remove)
            try session.output.result("removed \(Escaping.visible(name))") { $0.field("removed", name) }
        }
    }

    struct Test: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "test", abstract: "Send a test message, and say whether the receiver takes it.",
            discussion: """
                  waymark hook test arrivals

                Exit code 1: the receiver did not take it. Exit code 4: there was no result in 15 s.
                """)
        private static let patience = Duration.seconds(15)
        private static let pause = Duration.milliseconds(250)

        @Argument(.hook, "The hook's name.") var name: String

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let before = try await session.client.hooks.allFailures(of: name).last?.number ?? 0
            try await session.client.hooks.change(name, .test)
            let end = ContinuousClock.now + Self.patience
            // The message is on the list until the receiver has taken it.
            while true {
                let later = try await session.client.hooks.failures(of: name, after: before).failures
                guard let sent = later.first(where: \.isTest) else { break }
                guard sent.isDue else {
                    throw Failure("not_delivered", "The receiver did not take the test: \(sent.reason)")
                }
                guard ContinuousClock.now < end else {
                    throw Failure(
                        .timedOut, "no_result",
                        "There is no result of the test yet: \"waymark hook show \(name)\" says whether the hook is "
                            + "active, and \"waymark hook failed \(name)\" prints the result when there is one.")
                }
                try await Task.sleep(for: Self.pause)
            }
            try session.output.result("\(Escaping.visible(name)): the receiver has taken the test message") {
                $0.field("delivered", true)
            }
        }
    }

    struct Failed: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "failed", abstract: "List the messages that were given up, or wait to be sent again.",
            discussion: """
                  waymark hook failed arrivals
                  waymark hook failed arrivals -o json | jq -r .body
                """)

        @Argument(.hook, "The hook's name.") var name: String

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let failures = try await session.client.hooks.allFailures(of: name)
            let columns: [TextTable.Column] = [
                .init(title: "REV", alignment: .right, style: .bold), .init(title: "AT"),
                .init(title: "SIZE", alignment: .right, dropsAt: 1), .init(title: "STATE"),
                .init(title: "REASON", isFlexible: true),
            ]
            try session.output.list(failures, columns, none: "No message has failed.", object: { $0.fields($1) }) {
                [
                    $0.isTest ? "test" : "\($0.rev)", Timestamp.local($0.at), Figures.bytes(UInt64($0.body.count)),
                    $0.isDue ? "waiting" : "failed", $0.reason.nilIfEmpty ?? "-",
                ]
            }
        }
    }

    struct Redeliver: WritingCommand {
        static let configuration = CommandConfiguration(
            commandName: "redeliver", abstract: "Send a change again, outside the order and with the same id.",
            discussion: "  waymark hook redeliver arrivals 4711")

        @Argument(.hook, "The hook's name.") var name: String

        @Argument(help: ArgumentHelp("The change's revision, as failed prints it.", valueName: "rev"))
        var rev: UInt64

        @OptionGroup var asking: AskOptions

        func validate() throws {
            try refuse(if: rev == 0, "The first revision is 1; \"waymark hook test\" sends a test.")
        }

        func run(in session: Session) async throws {
            try await session.client.hooks.change(name, .redeliver(rev))
            try session.output.result("\(Escaping.visible(name)): revision \(rev) will be sent again") {
                $0.field("rev", rev)
            }
        }
    }
}

extension HookRequests {
    fileprivate func allFailures(of name: String) async throws -> [HookFailure] {
        try await allPages { (last: HookFailure?) in try await failures(of: name, after: last?.number ?? 0) }
    }
}

extension HookFailure {
    fileprivate var isTest: Bool { rev == 0 }
}
