// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import FoundationEssentials
import WaymarkClient
import WaymarkJSON
import ZeroMQ

struct LoginCommand: LocalCommand {
    static let configuration = CommandConfiguration(
        leaf: "login",
        abstract: "Sign in, with a new key of this machine for your account.",
        discussion: """
              waymark login ann
              waymark login ann --code 7K3QD-8W2MN-0RVXC-5TJHB     with an invitation
              waymark login ann --new                              with a new account

            Makes a pair of keys. The secret key stays in a file that only you can read. The first use stores the \
            service's public key and prints its fingerprint: compare it with the one that the service's administrator \
            gives you. A service that has another key later is refused.
            """)

    @Argument(.text("name"), "The account's name.")
    var name: String

    @Option(
        .text("code"),
        "An invitation's code, with which you choose a password. - asks for the code, or reads it from stdin.")
    var code: String?

    @Flag(help: "Make the account first, with a password that you choose, where the service lets anybody do so.")
    var new = false

    @Option(.text("text"), "The key's label in \"waymark keys list\".")
    var label: String?

    @Option(
        .text("key"),
        "The service's public key, 40 characters. (default: asked at the port three higher)")
    var serverKey: String?

    @Option(.endpoint, "The endpoint to ask for the service's public key.")
    var serverKeyEndpoint: String?

    @Option(.endpoint, "The endpoint for signing in. (default: named by the server-key endpoint)")
    var signIn: String?

    @OptionGroup var password: PasswordOptions
    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        try refuse(if: new && code != nil, "An account with an invitation exists already: leave --new out.")
    }

    func run(_ output: Output, _ surroundings: Surroundings) async throws {
        // All endpoints belong to one service, so the key kept for the first endpoint is used with all of them.
        let endpoint = try connection.target.endpoints(surroundings)[0]
        let name = try LandmarkRules.user(name)
        let credentials = Credentials(endpoint, surroundings)
        let known = try credentials.read()
        let first = FirstUse(
            endpoint: endpoint, serverKeyEndpoint: serverKeyEndpoint, timeout: connection.answerTimeout)
        let given = try serverKey.map { try CurveKey(z85: $0).orBad("--server-key: a key has 40 characters of Z85.") }
        let service = try await first.service(known: known?.server, given: given)
        if known?.server != service.key {
            output.notice("server_key", "\(endpoint) has the fingerprint \(Fingerprint(service.key)).") {
                $0.field("fingerprint", "\(Fingerprint(service.key))")
            }
        }
        let code = try self.code.map { try Self.code($0, surroundings) }
        let secret = try password.read(
            code == nil && !new ? "Password of \(name)" : "A new password for \(name)", isNew: code != nil || new)
        let pair = try CurveKeyPair.generate()
        let options = ClientOptions(
            once: signIn ?? service.signIn, timeout: connection.answerTimeout,
            // The previous key identifies the person who asks, even if the key has ended.
            keys: ClientKeys(own: known?.keys ?? pair, server: service.key))
        let state: AccountState
        do {
            state = try await options.withClient { client in
                try await client.signIn(
                    name, password: secret, code: code, label: label ?? ProcessInfo.processInfo.hostName,
                    key: pair.publicKey, fresh: new)
            }
        } catch let error as ClientError {
            throw await first.reason(for: error)
        }
        try credentials.write(KeyFile(keys: pair, server: service.key, name: state.name))
        if let known { await end(known, ClientKeys(own: pair, server: service.key), endpoint) }
        try output.result("signed in as \(Escaping.visible(state.name)), \(state.role.name)") { $0.fields(state) }
    }

    /// Ends the previous key if it belongs to the same account, because nobody uses it any more.
    private func end(_ known: KeyFile, _ keys: ClientKeys, _ endpoint: String) async {
        let options = ClientOptions(endpoint: endpoint, timeout: .seconds(2), keys: keys)
        _ = try? await options.withClient { try await $0.endKey(known.keys.publicKey) }
    }

    /// Returns the invitation code. For `-` it is read from the terminal or stdin, because other programs can see this
    /// program's arguments.
    private static func code(_ text: String, _ surroundings: Surroundings) throws -> String {
        guard text == "-" else { return text }
        guard let code = surroundings.askSecret?("Invitation code: ") ?? surroundings.readLine(), !code.isEmpty else {
            throw Failure("no_code", "No code was given: type the invitation's code, or give it with --code.")
        }
        return code
    }
}
