// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A child process that was waited for in vain: the states of its threads, and their backtraces.
public enum Standstill {
    /// Blocks its thread for some seconds. A process that is no child of this one is left alone: the id may have passed on.
    public static func report(_ pid: pid_t) -> String {
        let status = text("/proc/\(pid)/status").split(separator: "\n")
        guard status.contains("PPid:\t\(getpid())") else { return "Process \(pid) has ended." }
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        let states = threads.sorted().map { thread in
            let task = "/proc/\(pid)/task/\(thread)"
            let state = text("\(task)/status").split(separator: "\n").first { $0.hasPrefix("State:") } ?? "State: ended"
            return "\(thread) \(text("\(task)/comm")) \(state) in \(text("\(task)/wchan")) \(text("\(task)/syscall"))"
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return (["Threads of process \(pid):"] + states + [backtraces(pid)]).joined(separator: "\n")
    }

    /// The last lines of a file to which a process writes.
    public static func tail(_ path: String) -> String {
        text(path).split(separator: "\n").suffix(20).joined(separator: "\n")
    }

    /// Backtraces by eu-stack, which reads no tables for debuggers and so needs less time than gdb.
    private static func backtraces(_ pid: pid_t) -> String {
        let tools = [
            ["/usr/bin/eu-stack", "-p", "\(pid)"],
            ["/usr/bin/gdb", "-batch", "-nx", "-p", "\(pid)", "-ex", "thread apply all backtrace 40"],
        ]
        guard let words = tools.first(where: { access($0[0], X_OK) == 0 }) else {
            return "No backtraces: neither eu-stack nor gdb is installed."
        }
        guard let told = try? Child.run(words) else { return "No backtraces: \(words[0]) does not start." }
        return String(told.text.prefix(60_000))
    }

    private static func text(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
