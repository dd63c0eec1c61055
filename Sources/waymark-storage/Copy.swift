// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import ServiceHost
import StorageService

/// `waymark-storage copy`.
struct Copy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-storage copy",
        abstract: "Copies the database to another one, of the same engine or the other.",
        usage: "waymark-storage copy --to TARGET [--config FILE] [--KEY VALUE ...]",
        discussion: """
            TARGET is postgresql://USER@HOST/DATABASE, or a directory. The password is taken
            from PGPASSWORD, or from a file that passfile= in TARGET names, or from ~/.pgpass.
            TARGET must be empty. The settings name the database to copy: stop its storage
            first. After an interruption run the command again: it goes on where it was. All
            rows are counted and compared. The copy is another history: followers of the
            first database begin anew.
            """)

    @Option(help: "The target: a URL of PostgreSQL, or a data directory.")
    var to: String

    @OptionGroup var storage: OwnStorage

    func run() async throws {
        do {
            let settings = try ServiceHost.settings(.storage, file: storage.config, arguments: storage.settings)
            let source = TransferPlace(settings, environment: ProcessInfo.processInfo.environment)
            var told = ContinuousClock.now
            let report = try TransferPlace.copy(from: source, to: TransferPlace(to, of: "--to")) { table, rows in
                guard ContinuousClock.now - told >= .seconds(1) else { return }
                told = .now
                ServiceHost.tell("\(table): \(rows)")
            }
            for table in report.tables where table.rows > 0 {
                let resumed = table.resumed > 0 ? ", \(table.resumed) of them before" : ""
                print("\(table.name): \(table.rows) rows\(resumed)")
            }
            print(
                "\(report.landmarks) landmarks, head \(report.head); counted and compared. "
                    + "The copy has the epoch \(report.epoch).")
        } catch {
            ServiceHost.complain(.storage, error)
            throw ExitCode(1)
        }
    }
}
