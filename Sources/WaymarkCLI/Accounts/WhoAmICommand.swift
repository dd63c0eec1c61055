// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkJSON

struct WhoAmICommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "whoami", abstract: "Print the account that this machine's key belongs to.",
        discussion: "  waymark whoami")

    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let state = try await session.client.whoAmI()
        try session.output.result("\(Escaping.visible(state.name)), \(state.role.name)") { $0.fields(state) }
    }
}

struct LogoutCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "logout", abstract: "End this machine's key, and forget it.",
        discussion: """
              waymark logout
              waymark logout --forget      without the service, which still accepts the key
            """)

    @Flag(help: "Forget the key without ending it, if the service does not answer.")
    var forget = false

    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let credentials = Credentials(session.options.endpoints, Surroundings.current)
        let file = try credentials.read().or(session.noKey)
        if !forget { try await session.client.endKey(file.keys.publicKey) }
        credentials.remove()
        if session.output.format == .text { try session.output.line("signed out at \(session.endpoint)") }
    }
}

struct PasswordCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "password", abstract: "Change your password.",
        discussion: """
              waymark password
              printf '%s\\n%s\\n' OLD NEW | waymark password --password-stdin
            """)

    @OptionGroup var password: PasswordOptions
    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let old = try password.read("Your present password")
        let new = try password.read("The new password", isNew: true)
        try await session.client.setPassword(old: old, new: new)
        if session.output.format == .text { try session.output.line("the password is changed") }
    }
}

extension Session {
    /// The failure of a command that needs the key of this machine.
    var noKey: Failure {
        Failure("no_key", "You have not signed in at \(endpoint) from here: run \"waymark login NAME\".")
    }
}
