// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkJSON

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Set your name, which signs what you add and write.",
        discussion: """
              waymark user set ann
              waymark user

            The name is claimed, not proven. It is kept in waymark/config.json in the configuration folder \
            (XDG_CONFIG_HOME, otherwise ~/.config). WAYMARK_USER and --as take precedence.
            """,
        subcommands: [Set.self, Show.self],
        defaultSubcommand: Show.self)

    struct Set: LocalCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set the name.", discussion: "  waymark user set ann")

        @Argument(.text("name"), "The name, 1 to 64 characters.")
        var name: String

        @OptionGroup var printing: OutputOptions

        func run(_ output: Output, _ surroundings: Surroundings) throws {
            let preferences = Preferences(environment: surroundings.environment)
            try preferences.keep(try LandmarkRules.user(name), .name, as: "user", output)
        }
    }

    struct Show: LocalCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the name.", discussion: "  waymark user show")

        @OptionGroup var printing: OutputOptions

        func run(_ output: Output, _ surroundings: Surroundings) throws {
            let kept = try Preferences(environment: surroundings.environment).value(.name)
            let user = surroundings.variable("WAYMARK_USER") ?? kept
            if let user, output.format == .text { return try output.line(Escaping.visible(user)) }
            if output.format == .json { return try output.object { $0.field("user", user) } }
            throw Failure("no_user", "No name is set: set one with \"waymark user set NAME\".")
        }
    }
}
