// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import ZeroMQ

/// A running program from the folder of the tests.
///
/// Started with `posix_spawn` instead of `Foundation.Process`: signals are set as in a shell, and no thread of a pool
/// is blocked.
final class ProcessProgram: Sendable {
    enum Stdout {
        case pipe
        /// A pseudo-terminal of 120 columns.
        case terminal
    }

    /// Running, or the exit status in the form of a shell.
    private enum Life: Sendable {
        case running
        case ended(Int32)
    }

    let name: String
    let pid: pid_t
    let out: ProcessLines
    let err: ProcessLines
    private let life = Awaited(Life.running)
    private static let starting = Locked(())

    /// - Parameter path: an absolute path.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], directory: String,
        stdout: Stdout = .pipe
    ) throws {
        name = (path as NSString).lastPathComponent
        // env changes the folder and then becomes the program.
        let words = ["/usr/bin/env", "-C", directory, path] + arguments
        let started = try Self.starting.withLock { _ in
            try Self.spawn(words, environment.map { "\($0.key)=\($0.value)" }, stdout)
        }
        (pid, out, err) = (
            started.pid, ProcessLines(started.out, "\(name)'s stdout", of: started.pid),
            ProcessLines(started.err, "\(name)'s stderr", of: started.pid)
        )
        Thread.detachNewThread { [life, pid] in
            var info = siginfo_t()
            // Reaped under the lock, so that no signal reaches a later process with the same id.
            while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            life.update { life in
                var status: Int32 = 0
                waitpid(pid, &status, 0)
                life = .ended(Spawn.exitStatus(status))
            }
        }
    }

    func send(_ number: Int32) {
        life.update { life in
            if case .running = life { kill(pid, number) }
        }
    }

    /// The exit status, or 128 plus the number of the signal that ended it.
    func ended(within time: Duration = .seconds(120)) async throws -> Int32 {
        try await life.wait(time, for: "the end of \(name); stderr: \(self.err.tail)\n\(Standstill.report(self.pid))") {
            if case .ended(let status) = $0 { status } else { nil }
        }
    }

    /// Ends it with `kill -9`, and waits until it has ended.
    func slay() async throws {
        send(SIGKILL)
        _ = try await ended()
    }

    private static func spawn(
        _ words: [String], _ variables: [String], _ stdout: Stdout
    ) throws -> (pid: pid_t, out: Int32, err: Int32) {
        let output = try stdout == .pipe ? pipe() : terminal()
        let errors = try pipe()
        defer { for descriptor in [output.write, errors.write] { close(descriptor) } }
        do throws(SpawnError) {
            let pid = try Spawn.start(words, variables) { actions in
                posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
                posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO)
                posix_spawn_file_actions_adddup2(&actions, errors.write, STDERR_FILENO)
            }
            return (pid, output.read, errors.read)
        } catch {
            for descriptor in [output.read, errors.read] { close(descriptor) }
            throw error
        }
    }

    /// Created while no other program is started, so that no program inherits an end and keeps the pipe open.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw Overdue(description: "No pipe can be made.") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func terminal() throws -> (read: Int32, write: Int32) {
        var (reader, writer): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&reader, &writer, nil, nil, &size) == 0 else {
            throw Overdue(description: "No terminal can be made.")
        }
        for end in [reader, writer] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (reader, writer)
    }
}
