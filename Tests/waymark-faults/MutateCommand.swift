// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FaultKit
import Foundation

/// Edits deliberate defects into a package's sources, in place.
struct MutateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutate",
        abstract: "Edit all deliberate defects into a copy of the sources.",
        discussion: """
            Programs built from that copy have a defect when WAYMARK_MUTATION names it: \
            \(Mutation.all.map(\.name).joined(separator: ", ")).

              git worktree add /tmp/mutants && waymark-faults mutate /tmp/mutants
              cd /tmp/mutants && swift build
            """)

    @Argument(help: "The folder of the copy, with its Package.swift.")
    var folder: String
    @Flag(help: "Only print the paths of the files that would be edited.")
    var list = false

    func run() throws {
        if !list { try Mutation.apply(in: URL(filePath: folder, directoryHint: .isDirectory)) }
        for file in Mutation.files { print(file) }
    }
}

extension Mutation: ExpressibleByArgument {
    public init?(argument: String) {
        guard let mutation = Mutation.all.first(where: { $0.name == argument }) else { return nil }
        self = mutation
    }

    public static var allValueStrings: [String] { all.map(\.name) }
}
