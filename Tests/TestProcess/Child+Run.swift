// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

extension Child {
    /// Runs a program to its end, and kills it after `time`.
    ///
    /// - Parameter input: its stdin; nil for none.
    /// - Returns: its status, nil if it was killed, and everything that it printed.
    public static func run(
        _ words: [String], environment: [String: String] = Child.plain, directory: String? = nil, input: String? = nil,
        within time: Duration = .seconds(60)
    ) throws(SpawnError) -> (status: Int32?, text: String) {
        // Files and no pipes: nobody has to read and write at the same time.
        let files = NSTemporaryDirectory() + "waymark-child-\(UUID().uuidString)"
        defer { for end in ["in", "out"] { unlink("\(files)-\(end)") } }
        var stdin: CInt?
        defer { if let stdin { close(stdin) } }
        if let input {
            let isWritten = FileManager.default.createFile(atPath: "\(files)-in", contents: Data(input.utf8))
            let descriptor = open("\(files)-in", O_RDONLY | O_CLOEXEC)
            guard isWritten, descriptor >= 0 else { throw SpawnError(description: "The input cannot be written.") }
            stdin = descriptor
        }
        let child = try Child(
            words, environment: environment, directory: directory, input: stdin, output: .file("\(files)-out"))
        // No report of where the program stands, because making one runs programs by this function.
        let status = child.ends(within: time) ? child.status : nil
        if status == nil {
            child.send(SIGKILL)
            _ = child.ends(within: .seconds(5))
        }
        let text = FileManager.default.contents(atPath: "\(files)-out") ?? Data()
        return (status, String(decoding: text, as: UTF8.self))
    }
}
