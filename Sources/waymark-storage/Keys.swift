// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import Settings
import WaymarkClient

/// `waymark-storage keys`: manages the keys of query services.
struct Keys: AsyncParsableCommand {
    private static let account = "query"

    static let configuration = CommandConfiguration(
        commandName: "waymark-storage keys",
        abstract: "Makes, lists and ends the keys of query services.",
        usage: """
            waymark-storage keys new FILE [--KEY VALUE ...]
            waymark-storage keys list [--KEY VALUE ...]
            waymark-storage keys end FINGERPRINT [--KEY VALUE ...]
            """,
        discussion: """
            To change keys without a pause: make a new file, start the query services with
            it, one after another, and then end the old key. Clients know the query
            services by the public key: they have to confirm the new one.
            """,
        subcommands: [New.self, List.self, End.self])

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Makes a file of keys for query services.")

        @OptionGroup var storage: OwnStorage

        func run() async throws {
            try await storage.ask("a FILE") { words, client, server in
                let file = KeyFile(keys: try CurveKeyPair.generate(), server: server)
                try file.write(words[0], replacing: false)
                do {
                    try await client.addKey(file.keys.publicKey, label: words[0], to: Keys.account)
                } catch {
                    // The file is useless now, and would prevent the next call from writing it.
                    SecretFile.remove(words[0])
                    throw error
                }
                print("\(words[0]): fingerprint \(Fingerprint(file.keys.publicKey))")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the keys of query services.")

        @OptionGroup var storage: OwnStorage

        func run() async throws {
            try await storage.ask { _, client, _ in
                for key in try await client.keys(of: Keys.account) {
                    print("\(Fingerprint(key.key))  \(key.ended == nil ? "in use" : "ended")  \(key.label)")
                }
            }
        }
    }

    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end", abstract: "Ends a key: the query services that have it are refused at once.")

        @OptionGroup var storage: OwnStorage

        func run() async throws {
            try await storage.ask("a FINGERPRINT") { words, client, _ in
                let keys = try await client.keys(of: Keys.account).filter {
                    "\(Fingerprint($0.key))".hasPrefix(words[0].lowercased())
                }
                guard keys.count == 1, let key = keys.first else {
                    throw Unusable(
                        keys.isEmpty
                            ? "No fingerprint begins with that: copy one from \"waymark-storage keys list\"."
                            : "Several fingerprints begin with that: give more characters.")
                }
                try await client.endKey(key.key)
                print("\(Fingerprint(key.key)) is ended.")
            }
        }
    }
}
