// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Settings
import WaymarkJSON

/// Finds a misspelled command or option that the argument parser does not report: the parser reports the value of an
/// unknown option as an unexpected argument, and does not name an unknown command.
enum Misspelling {
    /// Returns a sentence that names the misspelled word, with a suggestion if there is one; nil if every command and
    /// option is known.
    static func message(_ arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = Waymark.self
        var rest = arguments[...]
        while let word = rest.first, !word.hasPrefix("-") {
            let children = children(of: command)
            guard let next = children.first(where: { name(of: $0) == word }) else {
                guard !children.isEmpty, command.configuration.defaultSubcommand == nil, word != "help" else { break }
                return unknownCommand(word, children.map(name), in: command)
            }
            command = next
            rest = rest.dropFirst()
        }
        return unknownOption(rest, in: command)
    }

    private static func children(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands + command.configuration.groupedSubcommands.flatMap(\.subcommands)
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? "\(command)".lowercased()
    }

    private static func unknownCommand(
        _ word: String, _ known: [String], in command: any ParsableCommand.Type
    ) -> String {
        let parent = command == Waymark.self ? "waymark" : "waymark \(name(of: command))"
        let nearest = EditDistance.nearest(to: word.lowercased(), in: known).map { ": did you mean \($0)?" } ?? "."
        return
            "There is no command '\(Escaping.visible(String(word.prefix(80))))'\(nearest) \"\(parent) --help\" lists "
            + "all."
    }

    /// Returns the first option that occurs in no help text of the command and its subcommands; nil if all occur.
    private static func unknownOption(_ words: ArraySlice<String>, in command: any ParsableCommand.Type) -> String? {
        let commands = [command] + children(of: command)
        let help = commands.map { Waymark.helpMessage(for: $0) }.joined(separator: "\n")
        var known = Set(help.matches(of: /--[a-z][a-z-]*/).map { String($0.output) })
        known.formUnion(["--help", "--version", "--generate-completion-script", "--colour"])
        for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
            let option = String(word.prefix { $0 != "=" })
            guard !known.contains(option) else { continue }
            let nearest = EditDistance.nearest(to: option, in: known).map { ": did you mean \($0)?" } ?? "."
            return "There is no option '\(Escaping.visible(String(option.prefix(80))))'\(nearest)"
        }
        return nil
    }
}
