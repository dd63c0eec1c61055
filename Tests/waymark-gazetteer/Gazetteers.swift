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

extension Complaint {
    /// There are more of something than the file's format can hold.
    static func tooMany(_ what: String) -> Complaint {
        Complaint(description: "There are too many \(what) for a gazetteer: leave some out.")
    }
}
