// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ServiceHost
import WaymarkJSON
import WaymarkProtocol

/// The program `waymark`.
public enum WaymarkTool {
    /// Runs one command, and ends the process with the command's exit status.
    ///
    /// - Parameter arguments: the arguments without the program's name.
    public static func main(_ arguments: [String]) async -> Never {
        if let problem = ProgramArguments.problem() {
            let format: OutputFormat = asksForJSON(arguments) ? .json : .text
            Surroundings.process.output(format, .auto).failure(.usage(problem))
            _exit(ExitStatus.usage.rawValue)
        }
        let status = await run(arguments, in: .current)
        if status == ExitStatus.readerGone.rawValue { Signals.endQuietly() }
        // `exit` would run the destructors of C++ libraries while libzmq's threads still use them.
        _exit(status)
    }

    /// Runs one command within the given surroundings, and returns its exit status.
    static func run(_ arguments: [String], in surroundings: Surroundings) async -> Int32 {
        var surroundings = surroundings
        surroundings.arguments = arguments
        return await Surroundings.$current.withValue(surroundings) { [surroundings] in
            do {
                // Monitors and scripts ask often. The parser would prepare all commands first.
                if arguments == ["--version"] {
                    try surroundings.output(.text, .never).line(Product.version)
                    return ExitStatus.done.rawValue
                }
                var command = try await parsed(PositionArguments.protected(arguments))
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
                return ExitStatus.done.rawValue
            } catch {
                return report(error, arguments, surroundings)
            }
        }
    }

    /// Parses a command that is named first, without the root, which would prepare all other commands. If that fails, the
    /// root parses again, because its messages and its help name the program.
    private static func parsed(_ arguments: [String]) async throws -> any ParsableCommand {
        let named = arguments.first.flatMap { name in
            Waymark.configuration.subcommands.first { $0.configuration.commandName == name }
        }
        if Surroundings.current.ownsProcess, named is any ServiceCommand.Type { _ = HeadStart.context }
        // For --help the parser returns a command of its own.
        if let leaf = named as? any AsyncParsableCommand.Type, leaf.configuration.subcommands.isEmpty,
            let command = try? await leaf.asyncParseAsRoot(Array(arguments.dropFirst())), type(of: command) == leaf
        {
            return command
        }
        return try await Waymark.asyncParseAsRoot(arguments)
    }

    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        try Waymark.parseAsRoot(PositionArguments.protected(arguments))
    }

    private static func report(_ error: any Error, _ arguments: [String], _ surroundings: Surroundings) -> Int32 {
        // The output options may be invalid themselves, so look for the format in the unparsed arguments.
        let format: OutputFormat = asksForJSON(arguments) ? .json : .text
        let output = surroundings.output(format, .auto)
        if let failure = Failure(error) {
            if failure.status != .readerGone { output.failure(failure) }
            return failure.status.rawValue
        }
        switch Waymark.exitCode(for: error) {
        case .success:
            // The parser also throws to print the help, the version or a completion script, which are no errors.
            do throws(SinkError) { try output.line(Waymark.fullMessage(for: error)) } catch {
                return error == .readerGone ? ExitStatus.readerGone.rawValue : ExitStatus.failed.rawValue
            }
            return ExitStatus.done.rawValue
        case .validationFailure:
            let message = Misspelling.message(arguments) ?? PositionArguments.restored(Waymark.message(for: error))
            output.failure(.usage(message))
            if format == .text {
                // The rest of the parser's text explains the argument, shows the usage, and says where to find help.
                let rest = Waymark.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
                    .drop { !$0.hasPrefix("Help:") && !$0.hasPrefix("Usage:") }
                if !rest.isEmpty { output.errorLine(Escaping.visibleLines(rest.joined(separator: "\n"))) }
            }
            return ExitStatus.usage.rawValue
        case let code:
            if !(error is ExitCode) { output.failure(.failed(Waymark.message(for: error))) }
            return code.rawValue
        }
    }

    static func asksForJSON(_ arguments: [String]) -> Bool {
        let options = arguments.prefix { $0 != "--" }
        let forms = ["json", "geojson"]
        let words = forms.flatMap { ["--output=\($0)", "-o\($0)", "-o=\($0)"] }
        if options.contains(where: words.contains) { return true }
        return zip(options, options.dropFirst()).contains { ["-o", "--output"].contains($0) && forms.contains($1) }
    }
}

extension CommandConfiguration {
    /// Makes the configuration of a command without subcommands. If such a command is parsed without the root, a name
    /// above it keeps the parser from looking for a request of a completion script, which takes a millisecond.
    init(leaf name: String, abstract: String, discussion: String = "") {
        self.init(commandName: name, _superCommandName: "waymark", abstract: abstract, discussion: discussion)
    }
}
