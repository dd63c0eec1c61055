// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `waymark-storage admin`: the work of an administrator that is necessary before there is an administrator's account.
struct Admin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-storage admin",
        abstract: "Makes the first administrator, and gives landmarks to accounts.",
        usage: """
            waymark-storage admin create NAME [--KEY VALUE ...]
            waymark-storage admin adopt CLAIMED-NAME ACCOUNT [--KEY VALUE ...]
            """,
        discussion: """
            Asks the running service, on its own machine, with its own keys. Give the
            settings that the service was started with.
            """,
        subcommands: [Create.self, Adopt.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Makes an account with the role admin, and prints its invitation.")

        @OptionGroup var storage: OwnStorage

        func run() async throws {
            try await storage.ask("a NAME") { words, client, _ in
                let change = try await client.createAccount(words[0], .admin)
                guard let code = change.code else { return }
                print("The account \(change.state.name) waits for its password. Within seven days:")
                print("  waymark login \(change.state.name) --code \(code)")
            }
        }
    }

    struct Adopt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "adopt",
            abstract: "Gives the landmarks and notes of a claimed name to an account, in steps.")

        @OptionGroup var storage: OwnStorage

        func run() async throws {
            try await storage.ask("a CLAIMED-NAME", "an ACCOUNT") { words, client, _ in
                try await client.adopt(words[0], by: words[1])
                print("The landmarks of \(words[0]) go to \(words[1]); each landmark makes a revision.")
            }
        }
    }
}
