// SPDX-License-Identifier: Apache-2.0

import FaultKit

/// The times of programs from start to end, again and again.
enum CommandTimes {
    /// Runs each command in turn.
    ///
    /// - Parameters:
    ///   - commands: the path and the arguments of each; the output is discarded.
    ///   - folder: the programs' home.
    ///   - check: called before each turn; what it throws ends the loop.
    /// - Returns: the times of each command.
    /// - Throws: ``TableError/doesNotStart(_:log:)`` if one does not end with 0.
    static func measure(
        _ commands: [[String]], times: Int, folder: String, _ check: () throws -> Void
    ) throws -> [Sample] {
        let variables = Program.plain.merging(["HOME": folder, "XDG_CONFIG_HOME": folder]) { $1 }
        var samples = [Sample](repeating: Sample(), count: commands.count)
        for _ in 0..<times {
            try check()
            for (place, words) in commands.enumerated() { samples[place].add(try time(words, variables)) }
        }
        return samples
    }

    private static func time(_ words: [String], _ variables: [String: String]) throws -> Duration {
        let begun = ContinuousClock.now
        guard let program = try? Program(words, environment: variables, output: .file("/dev/null")) else {
            throw TableError.notInstalled(words[0])
        }
        let status = program.wait(.seconds(600))
        let time = ContinuousClock.now - begun
        guard status == 0 else {
            throw TableError.doesNotStart(words[0], log: "its status is \(status.map { "\($0)" } ?? "none")")
        }
        return time
    }
}
