// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import WaymarkClient
import WaymarkJSON
import WaymarkTransport
import ZeroMQ

/// Commands for a person's own keys and for the keys of programs.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make, list and end keys for your other machines and your programs.",
        discussion: """
              waymark keys new laptop.key --label laptop
              waymark keys list
              waymark keys end 3f2a

            A program takes its keys from the file that WAYMARK_KEY_FILE names. A program that speaks HTTP sends a \
            secret instead, as "Authorization: Bearer SECRET": make one with --http. To change keys without a pause, \
            make a new file, let the program use it, and then end the old key.
            """,
        subcommands: [New.self, List.self, End.self], defaultSubcommand: List.self)

    struct New: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Make a file of keys for your account, or for a service's account.",
            discussion: "  waymark keys new report.key --label report --account reports --expires 24h")

        @Argument(.file, "The file to make.")
        var file: String

        @Flag(help: "Make a secret for a program that speaks HTTP, instead of a pair of keys.")
        var http = false

        @Option(help: ArgumentHelp("The key's label in the list.", valueName: "text"))
        var label = ""

        @Option(.time, "End the key after this time, at most 24h. (default: never)")
        var expires: Duration?

        @Option(.text("name"), "The account; administrators may name others. (default: yours)")
        var account: String?

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            guard let server = session.options.keys?.server else {
                throw Failure(
                    "no_key", "You have not signed in at \(session.endpoint) from here: run \"waymark login NAME\".")
            }
            let key = try http ? writeToken() : writePair(server)
            let until = expires.map { WallClock.milliseconds + UInt64($0 / .milliseconds(1)) } ?? 0
            do {
                try await session.client.addKey(
                    key, http ? .bearer : .curve, label: label, expires: until, to: account)
            } catch {
                SecretFile.remove(file)
                throw error
            }
            try session.output.result("\(Fingerprint(key)) in \(Escaping.visible(file))") {
                $0.field("fingerprint", "\(Fingerprint(key))")
            }
        }

        private func writePair(_ server: CurveKey) throws(KeyFileError) -> CurveKey {
            let pair: CurveKeyPair
            do { pair = try CurveKeyPair.generate() } catch { throw .io(path: file, reason: "\(error)") }
            try KeyFile(keys: pair, server: server, name: account).write(file, replacing: false)
            return pair.publicKey
        }

        /// - Returns: the digest of the new token. The service keeps only this digest.
        private func writeToken() throws(KeyFileError) -> CurveKey {
            let token = WebToken.make()
            guard let digest = WebToken.digest(token) else { throw .malformed(path: file) }
            try SecretFile.write(Array("\(token)\n".utf8), file, replacing: false)
            return digest
        }
    }

    struct List: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List keys, newest first.", discussion: "  waymark keys list")

        @Argument(.text("name"), "The account; administrators may name others. (default: yours)")
        var account: String?

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let keys = try await session.client.keys(of: account)
            let columns: [TextTable.Column] = [
                .init(title: "FINGERPRINT", style: .bold), .init(title: "KIND"), .init(title: "MADE"),
                .init(title: "STATE"), .init(title: "LABEL", isFlexible: true),
            ]
            try session.output.list(keys, columns, object: { $0.fields($1) }) { key in
                let isThis = key.key == session.options.keys?.own.publicKey
                let expired = key.expires.map { $0 <= WallClock.milliseconds } ?? false
                return [
                    "\(Fingerprint(key.key))", key.kind.name, Timestamp.local(key.made),
                    key.ended != nil ? "ended" : expired ? "expired" : isThis ? "this one" : "in use", key.label,
                ]
            }
        }
    }

    struct End: AskingCommand {
        static let configuration = CommandConfiguration(
            commandName: "end", abstract: "End a key, at once.", discussion: "  waymark keys end 3f2a:91c0")

        @Argument(.text("fingerprint"), "The key's fingerprint, or its beginning.")
        var fingerprint: String

        @Option(.text("name"), "The account; administrators may name others. (default: yours)")
        var account: String?

        @OptionGroup var asking: AskOptions

        func run(in session: Session) async throws {
            let wanted = fingerprint.lowercased()
            let keys = try await session.client.keys(of: account).filter { "\(Fingerprint($0.key))".hasPrefix(wanted) }
            guard keys.count == 1, let key = keys.first else {
                throw Failure(
                    "not_found",
                    keys.isEmpty
                        ? "No fingerprint begins with that: copy one from \"waymark keys list\"."
                        : "\(keys.count) fingerprints begin with that: give more characters.")
            }
            try await session.client.endKey(key.key)
            if session.output.format == .text { try session.output.line("\(Fingerprint(key.key)) is ended") }
        }
    }
}
