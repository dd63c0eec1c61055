// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Glibc

/// A program that a test has started. The process id stays taken until the program's end was seen, so no signal reaches
/// another process.
///
/// Started with `posix_spawn` instead of `Foundation.Process`: signals are set as in a shell, and no thread of a pool
/// is blocked.
public final class Child: Sendable {
    public enum Output: Sendable {
        /// Stdout and stderr are appended to this file.
        case file(String)
        /// Stdout and stderr are ``Child/out`` and ``Child/err``.
        case lines
        /// Like `lines`, with a pseudo-terminal of 120 columns as stdout.
        case terminal
    }

    /// The environment of programs that need no more.
    public static let plain = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"]

    /// The last part of the program's path.
    public let name: String
    public let pid: pid_t
    /// The lines of stdout, none if the output goes to a file.
    public let out: ChildLines
    public let err: ChildLines
    private let output: Output
    /// 128 plus the number of the signal that ended the program, or its exit status; nil while it runs.
    private let life = Awaited<Int32?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - words: an absolute path, and the arguments.
    ///   - directory: where it runs; nil: here.
    ///   - input: a descriptor that becomes its stdin; nil for none.
    ///   - isApart: whether an interrupt at the terminal is for the tests alone, which end it in order.
    public init(
        _ words: [String], environment: [String: String] = Child.plain, directory: String? = nil, input: CInt? = nil,
        output: Output, isApart: Bool = false
    ) throws(SpawnError) {
        // env changes the folder and then becomes the program.
        let place = directory.map { ["/usr/bin/env", "-C", $0] } ?? []
        let started = try Self.start(place + words, environment, input: input, output: output, isApart: isApart)
        self.output = output
        name = (words[0] as NSString).lastPathComponent
        pid = started.pid
        out = ChildLines(started.out, "\(name)'s stdout", of: started.pid)
        err = ChildLines(started.err, "\(name)'s stderr", of: started.pid)
        Thread.detachNewThread { [life, isOver, pid] in
            var info = siginfo_t()
            while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            _ = Child.reap(pid, life)
            isOver.signal()
        }
    }

    /// Reaps under the lock, so that no signal reaches a later process with the same id.
    private static func reap(_ pid: pid_t, _ life: Awaited<Int32?>) -> Int32? {
        life.update { life in
            var told: Int32 = 0
            if life == nil, waitpid(pid, &told, WNOHANG) == pid {
                let signal = told & 0x7f
                life = signal == 0 ? (told >> 8) & 0xff : 128 + signal
            }
            return life
        }
    }

    /// The program's status; nil while it runs.
    public var status: Int32? { Self.reap(pid, life) }

    public func send(_ signal: Int32) {
        life.update { life in
            if life == nil { kill(pid, signal) }
        }
    }

    // MARK: Waiting that blocks the thread

    /// Waits for an end that may not come in time.
    public func ends(within time: Duration) -> Bool {
        guard isOver.wait(timeout: .now() + time / .seconds(1)) == .success else { return status != nil }
        // For a second call.
        isOver.signal()
        return true
    }

    /// Waits for the program's end; reports to stderr where it stands if it does not end.
    ///
    /// - Returns: its status; nil after `time`.
    @discardableResult
    public func wait(_ time: Duration = .seconds(120)) -> Int32? {
        if !ends(within: time) { FileHandle.standardError.write(Data("Waited \(time) for \(standing)\n".utf8)) }
        return status
    }

    /// Ends the program with `kill -9`, and waits until it has ended.
    public func slay() {
        send(SIGKILL)
        wait()
    }

    // MARK: Waiting that blocks no thread

    /// - Throws: ``Overdue`` after `time`.
    @discardableResult
    public func ended(within time: Duration = .seconds(120)) async throws -> Int32 {
        try await life.wait(time, for: self.standing) { $0 }
    }

    /// As ``slay()``.
    public func slain() async throws {
        send(SIGKILL)
        try await ended()
    }

    /// A description of where the program stands, with its last output.
    private var standing: String {
        let tail = if case .file(let path) = output { Standstill.tail(path) } else { err.tail }
        return "the end of \(name); it told: \(tail)\n\(Standstill.report(pid))"
    }
}
