// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct Gazetteers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-gazetteer",
        abstract: "Makes the gazetteer's file, and measures what it finds.",
        subcommands: [BuildCommand.self, MarksCommand.self])
}

/// The one sentence that a person gets.
struct Complaint: Error, CustomStringConvertible {
    let description: String
}
