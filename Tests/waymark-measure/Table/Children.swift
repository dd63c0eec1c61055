// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import LoadTest
import ZeroMQ

/// The child processes and folders of a run. They are removed at its end, however it ends.
final class Children: Sendable {
    let stop = LoadStop()
    private let programs = Locked<[Program]>([])
    private let folders = Locked<[String]>([])
    /// The folder for the files of servers and databases.
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

    /// Adds a program started elsewhere, and its folder, to those that are removed at the end.
    func adopt(_ program: Program, _ folder: String) {
        programs.withLock { $0.append(program) }
        folders.withLock { $0.append(folder) }
    }

    /// Asks a program to end, and kills it if it does not.
    func end(_ program: Program) {
        program.send(SIGTERM)
        if program.wait(.seconds(20)) == nil { program.slay() }
        programs.withLock { $0.removeAll { $0 === program } }
    }

    /// Ends all programs, the last one first, and removes their files.
    func end() {
        endPrograms()
        removeFolders()
    }

    func endPrograms() {
        for program in programs.withLock({ $0 }).reversed() { end(program) }
    }

    /// The same with `kill -9`.
    func slay() {
        for program in programs.withLock({ $0 }) { program.slay() }
        removeFolders()
    }

    private func removeFolders() {
        for folder in folders.withLock({ $0 }) + [directory] {
            // A process that is being killed may still create a file while the folder is removed.
            for _ in 0..<50 where FileManager.default.fileExists(atPath: folder) {
                try? FileManager.default.removeItem(atPath: folder)
                usleep(10_000)
            }
        }
    }
}
