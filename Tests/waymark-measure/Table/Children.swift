// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import LoadTest
import ZeroMQ

/// The programs and folders of this making of the table: whoever ends it, they go with it.
final class Children: Sendable {
    let stop = LoadStop()
    private let programs = Locked<[Program]>([])
    private let folders = Locked<[String]>([])
    /// Where servers and databases have their files.
    let directory: String

    init() throws {
        directory = NSTemporaryDirectory() + "waymark-measure-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    func start(_ path: String, _ arguments: [String], log: String, _ environment: [String: String] = [:]) throws
        -> Program
    {
        let program = try Program(
            path, arguments, environment: environment, directory: directory, log: "\(directory)/\(log).log")
        programs.withLock { $0.append(program) }
        return program
    }

    /// A program that somebody else has started, and a folder of it: they end with the others when it has not yet.
    func adopt(_ program: Program, _ folder: String) {
        programs.withLock { $0.append(program) }
        folders.withLock { $0.append(folder) }
    }

    /// Asks a program to end, and ends it when it does not.
    func end(_ program: Program) {
        program.send(SIGTERM)
        if program.wait(.seconds(20)) == nil { program.slay() }
        programs.withLock { $0.removeAll { $0 === program } }
    }

    /// Ends all of them, the last one first, and removes what they wrote.
    func end() {
        for program in programs.withLock({ $0 }).reversed() { end(program) }
        removeFolders()
    }

    /// The same at once.
    func slay() {
        for program in programs.withLock({ $0 }) { program.slay() }
        removeFolders()
    }

    private func removeFolders() {
        for folder in folders.withLock({ $0 }) + [directory] {
            // A process of a program that is just being killed may still make a file where one was removed.
            for _ in 0..<50 where FileManager.default.fileExists(atPath: folder) {
                try? FileManager.default.removeItem(atPath: folder)
                usleep(10_000)
            }
        }
    }
}
