// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ZeroMQ

/// Options for the security of the connections to a bus.
struct BusSecurityOptions: ParsableArguments {
    @Option(
        .file,
        "CURVE: a file with the server's public key. Example: --curve-server-key server.pub. (default: no encryption)")
    var curveServerKey: String?

    @Option(.file, "CURVE: a file with your own secret key. Example: --curve-key bench.key. (default: a new pair)")
    var curveKey: String?

    @Option(.text("name"), "PLAIN: the user's name. Example: --plain-user ann --plain-password ann.txt.")
    var plainUser: String?

    @Option(
        .file, "PLAIN: a file with the password on its first line. Example: --plain-user ann --plain-password ann.txt.")
    var plainPassword: String?

    /// The lengths of names and passwords that PLAIN can send, in bytes.
    private static let lengths = 1...255

    func validate() throws {
        try refuse(
            if: curveKey != nil && curveServerKey == nil,
            "--curve-key needs --curve-server-key: a client of CURVE knows its server's key.")
        try refuse(
            if: (plainUser == nil) != (plainPassword == nil),
            "--plain-user and --plain-password belong together: give both.")
        try refuse(
            if: plainUser != nil && curveServerKey != nil,
            "A connection has one kind of security: give CURVE's options or PLAIN's.")
        try refuse(
            if: plainUser.map { !Self.lengths.contains($0.utf8.count) } ?? false, "--plain-user has 1 to 255 bytes.")
    }

    /// Whether an option was given.
    var isGiven: Bool { curveServerKey != nil || plainUser != nil }

    /// Reads the files.
    func security() throws -> SocketSecurity? {
        if let curveServerKey {
            let server = try CurveKeyText.publicKey(curveServerKey)
            let own = try curveKey.map { try CurveKeyText.pair($0) }
            return .curveClient(serverKey: server, keys: try own ?? .generate())
        }
        guard let plainUser, let plainPassword else { return nil }
        let password = String(decoding: try PasswordOptions.firstLine(of: plainPassword), as: UTF8.self)
        guard Self.lengths.contains(password.utf8.count) else {
            throw Failure.usage("\(plainPassword) needs a password of 1 to 255 bytes on its first line.")
        }
        return .plainClient(username: plainUser, password: password)
    }
}
