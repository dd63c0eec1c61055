// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser

/// The source of a password: a file, a terminal or stdin. An argument is no source, because everybody on the machine
/// can read a program's arguments.
struct PasswordOptions: ParsableArguments {
    @Option(.file, "Read the password from the first line of this file.")
    var passwordFile: String?

    @Flag(help: "Read the password from the first line of stdin.")
    var passwordStdin = false

    func validate() throws {
        try refuse(
            if: passwordFile != nil && passwordStdin,
            "--password-file and --password-stdin exclude each other: give one of them.")
    }

    /// - Parameters:
    ///   - prompt: the question on the terminal. The terminal does not show the answer.
    ///   - isNew: whether to ask for the password twice, because the person does not see what they type.
    func read(_ prompt: String, isNew: Bool = false, _ surroundings: Surroundings = .current) throws -> [UInt8] {
        if let passwordFile { return try Self.firstLine(of: passwordFile) }
        if passwordStdin {
            let line = surroundings.readLine()
            return Array(try line.or(.usage("stdin has no password: write it on a line of its own.")).utf8)
        }
        let ask = try surroundings.askSecret.or(
            .usage("There is no terminal to type a password on: give --password-file FILE or --password-stdin."))
        let password = try ask("\(prompt): ").or(Failure("no_password", "No password was given: nothing was done."))
        if isNew, ask("The new password again: ") != password {
            throw Failure("no_password", "The two passwords differ, so nothing was changed: try again.")
        }
        return Array(password.utf8)
    }

    /// - Parameter secret: the word for what the file has, for an error.
    static func firstLine(of path: String, _ secret: String = "password") throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(KeyFileError) { bytes = try SecretFile.read(path) } catch {
            throw Failure("key_file", error.description.replacing("key", with: secret))
        }
        return Array(bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
    }
}
