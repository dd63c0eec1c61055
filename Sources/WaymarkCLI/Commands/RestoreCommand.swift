// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Settings
import StorageOnSQLite
import WaymarkJSON

struct RestoreCommand: LocalCommand {
    static let configuration = CommandConfiguration(
        leaf: "restore",
        abstract: "Replace the database with a backup, while storage is stopped.",
        discussion: """
            The restored database begins a new history (a new epoch). Readers of the old history get an error that \
            says so, and start again from the landmarks. The replaced database is kept beside the new one, as \
            waymark.sqlite.before-TIME.

              waymark restore monday.waymark
              waymark restore monday.waymark --data ./try --force
            """)

    @Argument(.file, "The file that \"waymark backup\" wrote.")
    var file: String

    @Option(
        help: "The directory of the database. Default: waymark in the XDG data directory.", completion: .directory)
    var data: String?

    @Flag(help: "Restore even if a database exists.")
    var force = false

    @OptionGroup var printing: OutputOptions

    func run(_ output: Output, _ surroundings: Surroundings) throws {
        let directory = data ?? StandardLocations.dataDirectory(surroundings.environment)
        let restored = try DatabaseRestore.run(file, into: directory, force: force)
        let kept = restored.kept.map { "\nthe replaced database is now \(Escaping.visible($0))" } ?? ""
        try output.result(
            "restored revision \(restored.position.rev) as epoch \(restored.position.epoch) in "
                + Escaping.visible(directory) + kept
        ) {
            $0.field("directory", directory)
            $0.field("bytes", restored.bytes)
            $0.field("epoch", restored.position.epoch.description)
            $0.field("rev", restored.position.rev)
            $0.field("kept", restored.kept)
        }
    }
}
