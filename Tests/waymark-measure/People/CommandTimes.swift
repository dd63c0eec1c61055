// SPDX-License-Identifier: Apache-2.0

import FaultKit

/// The time of a program from its start to its end, again and again.
enum CommandTimes {
    /// - Parameters:
    ///   - words: the path and the arguments; the output is discarded.
    ///   - folder: the program's home.
    ///   - check: called before each start; what it throws ends the loop.
    /// - Throws: ``TableError/doesNotStart(_:log:)`` if it does not end with 0.
    static func measure(
        _ words: [String], times: Int, folder: String, _ check: () throws -> Void
    ) throws -> Sample {
        let variables = Program.plain.merging(["HOME": folder, "XDG_CONFIG_HOME": folder]) { $1 }
        var sample = Sample()
        for _ in 0..<times {
            try check()
            let begun = ContinuousClock.now
            guard let program = try? Program(words, environment: variables, output: .file("/dev/null")) else {
                throw TableError.notInstalled(words[0])
            }
            let status = program.wait(.seconds(600))
            sample.add(ContinuousClock.now - begun)
            guard status == 0 else {
                throw TableError.doesNotStart(words[0], log: "its status is \(status.map { "\($0)" } ?? "none")")
            }
        }
        return sample
    }
}
