// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestProcess

/// Programs of others that may be installed on this machine.
enum Tools {
    /// The path of the first name that is found.
    static func find(_ names: String...) throws -> String {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/bin:/usr/sbin:/usr/local/bin"
        for name in names {
            for folder in path.split(separator: ":") {
                let program = "\(folder)/\(name)"
                if FileManager.default.isExecutableFile(atPath: program) { return program }
            }
        }
        throw TableError.notInstalled(names.joined(separator: " or "))
    }

    /// The output of a program that ends by itself.
    ///
    /// - Throws: ``TableError/doesNotStart(_:log:)`` with the end of its output if it fails.
    static func output(_ words: [String], input: String? = nil) throws -> String {
        // Those of a load last as long as they were told to.
        let ended = try Program.run(
            words, environment: ProcessInfo.processInfo.environment, input: input, within: .seconds(3_600))
        guard ended.status == 0 else {
            throw TableError.doesNotStart(words[0], log: String(ended.text.suffix(300)))
        }
        return ended.text
    }
}
