// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import WaymarkClient
import ZeroMQ

/// The result of one call of a program.
struct ProcessResult: Sendable {
    var status: Int32
    var out: [String]
    var err: [String]
}

/// A place to run programs in: a temporary folder, which is also their home, and a list of the started programs.
final class ProcessBench: Sendable {
    /// The clone that contains these tests.
    static let repository: String = {
        var path = #filePath as NSString
        for _ in 0..<3 { path = path.deletingLastPathComponent as NSString }
        return path as String
    }()

    let path: String
    private let started = Locked<[Child]>([])

    init() throws {
        var template = Array("/tmp/wm-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Overdue(description: "No temporary folder can be made.") }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        for folder in ["home", "config", "share", "cache", "tmp"] {
            try FileManager.default.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: false)
        }
    }

    /// Kills running programs and removes the folder.
    func close() async {
        for program in started.withLock({ $0 }) { try? await program.slain() }
        try? FileManager.default.removeItem(atPath: path)
    }

    private var environment: [String: String] {
        var variables = [
            "HOME": path + "/home", "XDG_CONFIG_HOME": path + "/config", "XDG_DATA_HOME": path + "/share",
            "XDG_CACHE_HOME": path + "/cache", "TMPDIR": path + "/tmp", "TZ": "UTC", "LANG": "C.UTF-8",
            "PATH": "/usr/bin:/bin", "TERM": "xterm",
        ]
        // The folder of the toolchain's libraries, in case the programs would not find them.
        variables["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return variables
    }

    /// Starts a program: one of ours by its name, any other by its path.
    func start(
        _ name: String, _ arguments: [String], environment more: [String: String] = [:], directory: String? = nil,
        stdout: Child.Output = .lines
    ) throws -> Child {
        let program = try Child(
            [name.hasPrefix("/") ? name : "\(Products.folder)/\(name)"] + arguments,
            environment: environment.merging(more) { $1 }, directory: directory ?? path, output: stdout)
        started.withLock { $0.append(program) }
        return program
    }

    /// The commands of `waymark` that ask once, and those of its bench.
    private static let asking: Set = [
        "add", "backup", "compact", "distance", "edit", "fence", "geocode", "hook", "ingest", "keys", "list", "login",
        "near", "note", "remove", "restore-landmark", "search", "share", "show", "source", "sources", "status",
    ]
    /// Those of `waymark track`, which itself runs until its time limit.
    private static let askingOfTracks: Set = ["erase", "show"]
    private static let measuring: Set = ["clean", "http", "ingest", "mix", "near", "search", "tail", "write"]

    /// Adds a long time limit where none is given: on a busy machine an answer may take more than five seconds.
    static func patient(_ arguments: [String]) -> [String] {
        guard !arguments.contains(where: { $0.hasPrefix("--timeout") }) else { return arguments }
        let (commands, known): (ArraySlice<String>, Set<String>) =
            switch arguments.first {
            case "bench": (arguments.dropFirst(), measuring)
            case "track": (arguments.dropFirst(), askingOfTracks)
            default: (arguments[...], asking)
            }
        guard let command = commands.first, known.contains(command) else { return arguments }
        return arguments + ["--timeout", "60s"]
    }

    /// Runs a program to its end.
    func finish(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], directory: String? = nil,
        stdout: Child.Output = .lines
    ) async throws -> ProcessResult {
        let program = try start(
            name, name == "waymark" ? Self.patient(arguments) : arguments, environment: environment,
            directory: directory, stdout: stdout)
        let status = try await program.ended()
        return ProcessResult(
            status: status, out: try await program.out.complete(), err: try await program.err.complete())
    }

    /// Runs one command of `waymark` to its end.
    func waymark(_ arguments: String..., environment: [String: String] = [:]) async throws -> ProcessResult {
        try await finish("waymark", arguments, environment: environment)
    }

    /// Runs `waymark status` to its end; again while storage's part is absent, because storage did not answer the query
    /// service within 2 s, as on a busy machine.
    func status(_ arguments: [String], environment: [String: String] = [:]) async throws -> ProcessResult {
        var result: ProcessResult
        var runs = 0
        repeat {
            result = try await finish("waymark", ["status"] + arguments, environment: environment)
            runs += 1
        } while runs < 30 && result.err.contains(where: { $0.contains("did not report its status in time") })
        return result
    }

    /// Writes a file into the folder, atomically.
    ///
    /// - Returns: the path of the file.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"), options: .atomic)
        return "\(path)/\(name)"
    }

    /// Prints the output of all programs, for the log of a failed test.
    fileprivate func tell() {
        for program in started.withLock({ $0 }).suffix(8) {
            let text = "--- \(program.name) (\(program.pid)) stderr:\n\(program.err.tail)\n"
            FileHandle.standardError.write(Data(text.utf8))
        }
    }
}

/// Runs `body` with a bench, and removes everything afterwards in any case.
func withBench(_ body: (ProcessBench) async throws -> Void) async throws {
    let bench = try ProcessBench()
    do {
        try await body(bench)
    } catch {
        bench.tell()
        await bench.close()
        throw error
    }
    await bench.close()
}
