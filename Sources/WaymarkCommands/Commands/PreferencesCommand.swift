// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkJSON

extension Preference: ExpressibleByArgument {}

struct PreferencesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "Print or set what you prefer: units, how many rows, kinds.",
        discussion: """
              waymark preferences
              waymark preferences set units mi
              waymark preferences unset units

            \(Preference.allCases.map { "\($0.rawValue): \($0.help)" }.joined(separator: "\n"))

            They are kept in waymark/config.json in the configuration folder (XDG_CONFIG_HOME, otherwise ~/.config). \
            Options and variables take precedence.
            """,
        subcommands: [Show.self, Set.self, Unset.self],
        defaultSubcommand: Show.self)

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Print all of them.")

        @OptionGroup var printing: OutputOptions

        func run() async throws {
            let surroundings = Surroundings.current
            let preferences = Preferences(environment: surroundings.environment)
            let output = surroundings.output(printing.output, printing.color)
            let values = try Preference.allCases.map { ($0, try preferences.value($0)) }
            switch output.format {
            case .json: try output.object { for (one, value) in values { $0.field(one.rawValue, value) } }
            case .text:
                var table = TextTable([
                    .init(title: "PREFERENCE", style: .bold), .init(title: "VALUE"),
                    .init(title: "WITHOUT IT", style: .dim),
                ])
                for (one, value) in values { table.add([one.rawValue, value ?? "-", one.standard]) }
                try output.table(table)
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set one.", discussion: "  waymark preferences set kinds cafe,beach")

        @Argument(help: ArgumentHelp("Which one.", valueName: "preference"))
        var preference: Preference

        @Argument(.text("value"), "Its value.")
        var value: String

        @OptionGroup var printing: OutputOptions

        func run() async throws {
            try await PreferencesCommand.keep(try preference.checked(value), preference, printing)
        }
    }

    struct Unset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unset", abstract: "Remove one.", discussion: "  waymark preferences unset units")

        @Argument(help: ArgumentHelp("Which one.", valueName: "preference"))
        var preference: Preference

        @OptionGroup var printing: OutputOptions

        func run() async throws { try await PreferencesCommand.keep(nil, preference, printing) }
    }

    private static func keep(_ value: String?, _ preference: Preference, _ printing: OutputOptions) async throws {
        let surroundings = Surroundings.current
        let preferences = Preferences(environment: surroundings.environment)
        try preferences.set(preference, to: value)
        let output = surroundings.output(printing.output, printing.color)
        switch output.format {
        case .json: try output.object { $0.field(preference.rawValue, value) }
        case .text:
            try output.line(
                value.map { "\(preference.rawValue) \(Escaping.visible($0)), kept in \(preferences.path ?? "-")" }
                    ?? "\(preference.rawValue) is not set any more: \(preference.standard)")
        }
    }
}
