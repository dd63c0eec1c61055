// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkJSON
import WaymarkTransport

/// The administrators' commands for accounts.
struct AccountCommandGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Make accounts, list them, change their role or name, end them.",
        discussion: """
              waymark account create ann
              waymark account role ann moderator
              waymark account list

            For the first administrator, run "waymark-storage admin create NAME" on storage's machine.
            """,
        subcommands: [Create.self, List.self, SetRole.self, Rename.self, Invite.self, End.self])

    struct Create: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Make an account and print its invitation, which is shown only once.",
            discussion: "  waymark account create ann --role moderator")

        @Argument(.text("name"), "The name, 1 to 64 characters.")
        var name: String

        @Option(help: "The role: reader, user, moderator, admin, or service (a program without a password).")
        var role = Role.user

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            try session.print(try await session.client.createAccount(name, role))
        }
    }

    struct List: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List all accounts.", discussion: "  waymark account list")

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let accounts = try await session.client.accounts()
            let columns: [TextTable.Column] = [
                .init(title: "NAME", style: .bold, isFlexible: true), .init(title: "ROLE"),
                .init(title: "KEYS", alignment: .right), .init(title: "STATE"), .init(title: "CREATED", dropsAt: 1),
            ]
            try session.output.list(accounts, columns, object: { $0.fields($1) }) {
                [$0.name, $0.role.name, "\($0.keys)", $0.word, Timestamp.local($0.created)]
            }
        }
    }

    struct SetRole: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "role", abstract: "Change an account's role, at once.",
            discussion: "  waymark account role ann moderator")

        @Argument(.text("name"), "The account's name.")
        var name: String

        @Argument(help: "The new role: reader, user, moderator or admin.")
        var role: Role

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            try session.print(try await session.client.changeAccount(name, role: role))
        }
    }

    struct Rename: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Rename an account, and the user of its landmarks and notes.",
            discussion: "  waymark account rename ann anna")

        @Argument(.text("name"), "The account's name.")
        var name: String

        @Argument(.text("new name"), "The new name.")
        var newName: String

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            try session.print(try await session.client.changeAccount(name, name: newName))
        }
    }

    struct Invite: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite", abstract: "Make a new invitation for an account whose password is lost.",
            discussion: "  waymark account invite ann")

        @Argument(.text("name"), "The account's name.")
        var name: String

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            try session.print(try await session.client.changeAccount(name, invites: true))
        }
    }

    struct End: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "end", abstract: "End an account and its keys for good; its landmarks and notes stay.",
            discussion: "  waymark account end ann")

        @Argument(.text("name"), "The account's name.")
        var name: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            try confirmation.confirm("This ends the account \(name) for ever. Continue?")
            try session.print(try await session.client.changeAccount(name, ends: true))
        }
    }
}

extension Role: ExpressibleByArgument {
    public init?(argument: String) { self.init(name: argument) }
    public var defaultValueDescription: String { name }
    public static var allValueStrings: [String] { allCases.map(\.name) }
}

extension AccountState {
    /// The time for which an account is called new, in milliseconds: a week.
    private static let newFor: UInt64 = 7 * 86_400_000

    /// The account's state in a word or two, for a table.
    fileprivate var word: String {
        if ended != nil { return "ended" }
        if invitedUntil != nil { return "invited" }
        guard hasPassword || role == .service else { return "no password" }
        return created &+ Self.newFor > WallClock.milliseconds ? "active, new" : "active"
    }
}

extension Session {
    fileprivate func print(_ change: AccountChange) throws {
        let name = Escaping.visible(change.state.name)
        let code = change.code.map {
            "\nThe person signs in until \(Timestamp.local(change.expires)) with:\n  waymark login \(name) --code \($0)"
        }
        try output.result(
            "\(name), \(change.state.role.name)\(change.state.ended == nil ? "" : ", ended")\(code ?? "")"
        ) {
            $0.fields(change.state)
            $0.field("code", change.code)
        }
    }
}
