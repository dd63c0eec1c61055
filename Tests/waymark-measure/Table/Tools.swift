// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Programs of others that may be installed on this machine.
enum Tools {
    /// The path of the first name that is found.
    static func find(_ names: String...) throws -> String {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/bin:/usr/sbin:/usr/local/bin"
        for name in names {
            for folder in path.split(separator: ":") {
                let program = "\(folder)/\(name)"
                if FileManager.default.isExecutableFile(atPath: program) { return program }
            }
        }
        throw TableError.notInstalled(names.joined(separator: " or "))
    }

    /// The output of a program that ends by itself.
    ///
    /// - Throws: ``TableError/doesNotStart(_:log:)`` with the end of its output if it fails.
    static func output(_ words: [String], input: String? = nil) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let (out, into) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError, process.standardInput) = (out, out, into)
        try process.run()
        if let input { try into.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try into.fileHandleForWriting.close()
        let text = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw TableError.doesNotStart(words[0], log: String(text.suffix(300)))
        }
        return text
    }
}
