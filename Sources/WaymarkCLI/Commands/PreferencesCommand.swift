// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkJSON

extension Preference: ExpressibleByArgument {}

struct PreferencesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "Print or set your preferences: units, number of rows, kinds.",
        discussion: """
              waymark preferences
              waymark preferences set units mi
              waymark preferences unset units

            \(Preference.allCases.map { "\($0.rawValue): \($0.about.help)" }.joined(separator: "\n"))

            Preferences are in waymark/config.json in the configuration folder (XDG_CONFIG_HOME, otherwise ~/.config). \
            Options and variables take precedence.
            """,
        subcommands: [Show.self, Set.self, Unset.self],
        defaultSubcommand: Show.self)

    struct Show: LocalCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Print all preferences.")

        @OptionGroup var printing: OutputOptions

        func run(_ output: Output, _ surroundings: Surroundings) throws {
            let preferences = Preferences(environment: surroundings.environment)
            let values = try Preference.allCases.map { ($0, try preferences.value($0)) }
            guard output.format == .text else {
                return try output.object { for (one, value) in values { $0.field(one.rawValue, value) } }
            }
            let columns: [TextTable.Column] = [
                .init(title: "PREFERENCE", style: .bold), .init(title: "VALUE"),
                .init(title: "DEFAULT", style: .dim),
            ]
            let rows = values.map { one, value in [one.rawValue, value ?? "-", one.about.standard] }
            try output.table(TextTable(columns, rows: rows))
        }
    }

    struct Set: LocalCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set a preference.", discussion: "  waymark preferences set kinds cafe,beach")

        @Argument(help: ArgumentHelp("The preference's name.", valueName: "preference"))
        var preference: Preference

        @Argument(.text("value"), "The preference's value.")
        var value: String

        @OptionGroup var printing: OutputOptions

        func run(_ output: Output, _ surroundings: Surroundings) throws {
            try Preferences(environment: surroundings.environment).keep(
                try preference.checked(value), preference, as: preference.rawValue, output)
        }
    }

    struct Unset: LocalCommand {
        static let configuration = CommandConfiguration(
            commandName: "unset", abstract: "Remove a preference.", discussion: "  waymark preferences unset units")

        @Argument(help: ArgumentHelp("The preference's name.", valueName: "preference"))
        var preference: Preference

        @OptionGroup var printing: OutputOptions

        func run(_ output: Output, _ surroundings: Surroundings) throws {
            try Preferences(environment: surroundings.environment).keep(
                nil, preference, as: preference.rawValue, output)
        }
    }
}

extension Preferences {
    /// Sets or removes a preference, and prints the new value.
    ///
    /// - Parameter word: the name of the preference in the printed answer.
    func keep(_ value: String?, _ preference: Preference, as word: String, _ output: Output) throws {
        try set(preference, to: value)
        try output.result(
            value.map { "\(word) \(Escaping.visible($0)), kept in \(path ?? "-")" }
                ?? "\(word) is not set any more: \(preference.about.standard)"
        ) { $0.field(word, value) }
    }
}
