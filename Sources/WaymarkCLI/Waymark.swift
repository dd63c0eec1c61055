// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkProtocol

/// The root of all commands.
struct Waymark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark",
        abstract: "Landmarks, nearest first, and live.",
        discussion: """
            A shared collection of landmarks: ask what is near a place, add your own, write notes, and see what others \
            change as they change it.

              waymark near -33.8568,151.2153
              waymark add "Bondi Icebergs" -33.8951,151.2745 --kind pool
              waymark tail

            Exit codes: 0 done, 1 error, 2 usage, 3 cannot connect, 4 timed out, 5 refused by access rules, 6 the \
            changes asked for are compacted or of another epoch, 7 protocol version, 8 no such place, 9 wrong password, 10 the account has \
            ended, 11 the key is not accepted, 12 the service has another key than before, 130 and 143 on SIGINT and SIGTERM.
            """,
        version: Product.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Questions",
                subcommands: [
                    NearCommand.self, ListCommand.self, SearchCommand.self, ShowCommand.self, DistanceCommand.self,
                    GeocodeCommand.self, WhereCommand.self, KindsCommand.self, LastCommand.self,
                ]),
            CommandGroup(name: "Currencies", subcommands: [ConvertCommand.self, RatesCommand.self]),
            CommandGroup(
                name: "Changes",
                subcommands: [
                    AddCommand.self, EditCommand.self, RemoveCommand.self, RestoreLandmarkCommand.self,
                    NoteCommand.self, UserCommand.self, PreferencesCommand.self,
                ]),
            CommandGroup(
                name: "Accounts",
                subcommands: [
                    LoginCommand.self, LogoutCommand.self, WhoAmICommand.self, PasswordCommand.self, KeysCommand.self,
                    AccountCommandGroup.self, AuditCommand.self,
                ]),
            CommandGroup(
                name: "Live",
                subcommands: [
                    TailCommand.self, WatchCommand.self, TrackCommand.self, FenceCommand.self, ShareCommand.self,
                    HookCommand.self,
                ]),
            CommandGroup(
                name: "Services and sources",
                subcommands: [
                    UpCommand.self, IngestCommand.self, SourcesCommand.self, SourceCommand.self, StatusCommand.self,
                    CompactCommand.self, BackupCommand.self, RestoreCommand.self,
                ]),
            CommandGroup(name: "Load tests", subcommands: [BenchCommand.self]),
        ])
}
