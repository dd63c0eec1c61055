// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FaultKit

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Validate the kept folder of a round.")

    @Argument var directory: String
    @Flag(help: "Do not require that feeds have reached the head.")
    var unquiet = false

    func run() throws {
        let validator = Validator.check(
            try History(directory: directory), truth: try Truth(database: "\(directory)/data/waymark.sqlite"),
            isQuiet: !unquiet)
        for violation in validator.violations { print(violation) }
        print("\(validator.violations.count) violations; \(validator.counts)")
        if !validator.violations.isEmpty { throw ExitCode(1) }
    }
}
