// SPDX-License-Identifier: Apache-2.0

import Foundation
public import TestProcess

/// A child that finds its files in one folder, and in no other.
public typealias Program = Child

extension Program {
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - log: the file to which its stdout and stderr are appended; nil gives them as ``Child/out`` and
    ///     ``Child/err``.
    public convenience init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], directory: String, log: String?
    ) throws {
        var variables = Child.plain
        for name in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] { variables[name] = directory }
        variables["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        variables.merge(environment) { $1 }
        try self.init(
            [path] + arguments, environment: variables, directory: directory, output: log.map(Output.file) ?? .lines)
    }

    /// Resident memory in KiB.
    public var memory: Int {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
    }

    /// Open file descriptors.
    public var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count) ?? 0
    }

    /// CPU time so far, in ticks of the kernel's clock.
    public var ticks: Int {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        let words = text.split(separator: ")").last?.split(separator: " ") ?? []
        return words.count > 12 ? (Int(words[11]) ?? 0) + (Int(words[12]) ?? 0) : 0
    }
}
