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
              waymark keys new --for track --landmark "ann" --web https://waymark.example
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
            discussion: """
                  waymark keys new report.key --label report --account reports --expires 24h
                  waymark keys new --for track --landmark ann --at "Bondi Beach" --web https://waymark.example

                A phone's key moves one landmark and does nothing else. It is printed with the settings of the apps that \
                can send it, and works without accounts too.
                """)

        enum Purpose: String, CaseIterable, ExpressibleByArgument { case all, feed, track }

        @Argument(.file, "The file to make; none with --for track.")
        var file: String?

        @Option(
            name: .customLong("for"),
            help: "What the key may do: all, feed (only read and follow), or track (a phone moves one landmark).")
        var purpose = Purpose.all

        @OptionGroup var phone: PhoneOptions

        @Flag(help: "Make a secret for a program that speaks HTTP, instead of a pair of keys.")
        var http = false

        @Option(help: ArgumentHelp("The key's label in the list.", valueName: "text"))
        var label = ""

        @Option(.time, "End the key after this time, at most 24h. (default: never)")
        var expires: Duration?

        @Option(.text("name"), "The account; administrators may name others. (default: yours)")
        var account: String?

        @OptionGroup var asking: AskOptions

        func validate() throws {
            try refuse(if: purpose == .track && (file != nil || http), "A phone's key is printed: leave the file out.")
            try refuse(if: purpose == .track && phone.landmark == nil, "Name the phone's landmark: --landmark NAME.")
            try refuse(if: purpose != .track && file == nil, "Name the file to make.")
            try refuse(if: purpose != .track && phone.isGiven, "These options belong to --for track.")
        }

        func run(in session: Session) async throws {
            guard let file else { return try await session.addPhone(phone, label: label, expires: expires?.fromNow) }
            let server = try (session.options.keys?.server).or(session.noKey)
            let key = try http ? writeToken(file) : writePair(server, file)
            do {
                try await session.client.addKey(
                    key, http ? .bearer : .curve, label: label, expires: expires?.fromNow ?? 0, to: account,
                    readsOnly: purpose == .feed)
            } catch {
                // If the key was perhaps added, its secret is nowhere else.
                if case ClientError.mayBeDone = error {} else { SecretFile.remove(file) }
                throw error
            }
            try session.output.result("\(Fingerprint(key)) in \(Escaping.visible(file))") {
                $0.field("fingerprint", "\(Fingerprint(key))")
            }
        }

        private func writePair(_ server: CurveKey, _ file: String) throws -> CurveKey {
            let pair = try CurveKeyPair.generate()
            try KeyFile(keys: pair, server: server, name: account).write(file, replacing: false)
            return pair.publicKey
        }

        /// - Returns: the digest of the new token. The service keeps only this digest.
        private func writeToken(_ file: String) throws(KeyFileError) -> CurveKey {
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
            let keys = try await session.keysAndPhones(of: account)
            let columns: [TextTable.Column] = [
                .init(title: "FINGERPRINT", style: .bold), .init(title: "KIND"), .init(title: "MADE"),
                .init(title: "STATE"), .init(title: "LABEL", isFlexible: true),
            ]
            try session.output.list(keys, columns, object: { $1.object(&$0) }) { [$0.fingerprint] + $0.cells }
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
            let key = try await session.keysAndPhones(of: account).only(
                beginningWith: fingerprint, or: "No fingerprint begins with that: copy one from \"waymark keys list\"."
            ) { $0.fingerprint }
            try await key.end()
            if session.output.format == .text { try session.output.line("\(key.fingerprint) is ended") }
        }
    }
}

extension Array {
    /// Returns the only element whose fingerprint begins with a text that a person typed.
    ///
    /// - Parameter none: the sentence if no fingerprint does.
    func only(beginningWith text: String, or none: String, fingerprint: (Element) -> String) throws(Failure) -> Element
    {
        let wanted = text.lowercased()
        let found = filter { fingerprint($0).hasPrefix(wanted) }
        guard found.count < 2 else {
            throw Failure("not_found", "\(found.count) fingerprints begin with that: give more characters.")
        }
        return try found.first.or(Failure("not_found", none))
    }
}
