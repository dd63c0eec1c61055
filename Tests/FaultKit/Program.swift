// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess

/// A child process. Only this process, or the child itself, ends it.
public final class Program: Sendable {
    public let name: String
    public var pid: pid_t { child.pid }
    private let child: Child

    /// - Parameters:
    ///   - path: an absolute path.
    ///   - log: its stdout and stderr are appended to this file.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], directory: String, log: String
    ) throws {
        name = (path as NSString).lastPathComponent
        var variables = [
            "HOME": directory, "TMPDIR": directory, "TZ": "UTC", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
            "XDG_CONFIG_HOME": directory, "XDG_DATA_HOME": directory,
        ]
        variables["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        variables.merge(environment) { $1 }
        child = try Child(
            ["/usr/bin/env", "-C", directory, path] + arguments, variables: variables.map { "\($0.key)=\($0.value)" },
            output: log)
    }

    /// The exit status, or 128 plus the number of the signal that ended it; nil while it runs.
    public var status: Int32? { child.status }

    public func send(_ number: Int32) { child.send(number) }

    /// Waits for the end and returns the exit status; nil after `time`.
    @discardableResult
    public func wait(_ time: Duration = .seconds(120)) -> Int32? { child.wait(time) }

    /// Waits for an end that need not come.
    public func ends(within time: Duration) -> Bool { child.ended(within: time) != nil }

    /// As ``wait(_:)``, for a test that runs beside others: it does not block a thread.
    public func ended(within time: Duration = .seconds(60)) async throws -> Int32? {
        let deadline = ContinuousClock.now + time
        while ContinuousClock.now < deadline {
            if let status { return status }
            try await Task.sleep(for: .milliseconds(10))
        }
        if status == nil { child.reportStandstill(time) }
        return status
    }

    /// Ends it with `kill -9`, and waits until it has ended.
    public func slay() {
        send(SIGKILL)
        wait()
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
