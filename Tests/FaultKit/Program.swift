// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ZeroMQ

/// A child process. Only this process, or the child itself, ends it.
public final class Program: Sendable {
    private enum Life: Sendable {
        case running
        case ended(Int32)
    }

    public let name: String
    public let pid: pid_t
    private let life: Locked<Life>
    private static let starting = Locked(())

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
        let words = ["/usr/bin/env", "-C", directory, path] + arguments
        pid = try Self.starting.withLock { _ in
            try Self.spawn(words, variables.map { "\($0.key)=\($0.value)" }, log: log)
        }
        life = Locked(.running)
    }

    /// The exit status, or 128 plus the number of the signal that ended it; nil while it runs.
    public var status: Int32? {
        life.withLock { life in
            if case .ended(let status) = life { return status }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            let number = status & 0x7f
            let result = number == 0 ? (status >> 8) & 0xff : 128 + number
            life = .ended(result)
            return result
        }
    }

    /// The child's process id cannot be reused before it was waited for.
    public func send(_ number: Int32) {
        if status == nil { kill(pid, number) }
    }

    /// Waits for the end and returns the exit status; nil after `time`.
    @discardableResult
    public func wait(_ time: Duration = .seconds(120)) -> Int32? {
        let deadline = ContinuousClock.now + time
        while ContinuousClock.now < deadline {
            if let status { return status }
            usleep(10_000)
        }
        return status
    }

    /// The same for a test that runs beside others: it does not block a thread.
    public func ended(within time: Duration = .seconds(60)) async throws -> Int32? {
        let deadline = ContinuousClock.now + time
        while ContinuousClock.now < deadline {
            if let status { return status }
            try await Task.sleep(for: .milliseconds(10))
        }
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

    private static func spawn(_ words: [String], _ variables: [String], log: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments = words.map { strdup($0) } + [nil]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &environment)
        guard code == 0 else { throw FaultError("\(words) cannot be started: \(String(cString: strerror(code)))") }
        return pid
    }
}
