// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// One of the programs that were built beside the tests, running.
///
/// Made with `posix_spawn` rather than `Foundation.Process`: nothing but the three streams is inherited, signals are as
/// a shell would have them, and the process is never waited for by two.
final class ProcessProgram: Sendable {
    enum Stdout {
        case pipe
        /// A pseudo-terminal of 120 columns.
        case terminal
    }

    /// Still running, or the status as a shell would tell it.
    private enum Life: Sendable {
        case running
        case ended(Int32)
    }

    let name: String
    let pid: pid_t
    let out: ProcessLines
    let err: ProcessLines
    private let life = Awaited(Life.running)

    /// - Parameter path: absolute.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], directory: String,
        stdout: Stdout = .pipe
    ) throws {
        name = (path as NSString).lastPathComponent
        let output = try stdout == .pipe ? Self.pipe() : Self.terminal()
        let errors = try Self.pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors.write, STDERR_FILENO)
        posix_spawn_file_actions_addchdir_np(&actions, directory)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var started: pid_t = 0
        let code = posix_spawn(&started, path, &actions, &attributes, &words, &variables)
        for descriptor in [output.write, errors.write] { close(descriptor) }
        guard code == 0 else {
            for descriptor in [output.read, errors.read] { close(descriptor) }
            throw Overdue(description: "\(path) cannot be started: \(String(cString: strerror(code)))")
        }
        pid = started
        out = ProcessLines(output.read, "\(name)'s stdout")
        err = ProcessLines(errors.read, "\(name)'s stderr")
        Thread.detachNewThread { [life, pid] in
            var info = siginfo_t()
            // Left to be reaped under the lock, so that no signal goes to somebody who has the number after it.
            while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            life.update { life in
                var status: Int32 = 0
                waitpid(pid, &status, 0)
                let number = status & 0x7f
                life = .ended(number == 0 ? (status >> 8) & 0xff : 128 + number)
            }
        }
    }

    func send(_ number: Int32) {
        life.update { life in
            if case .running = life { kill(pid, number) }
        }
    }

    /// The exit status; 128 and the number of the signal that ended it.
    func ended(within time: Duration = .seconds(20)) async throws -> Int32 {
        try await life.wait(time, for: "the end of \(name); stderr: \(self.err.tail)") {
            if case .ended(let status) = $0 { status } else { nil }
        }
    }

    /// `kill -9`, and gone.
    func slay() async throws {
        send(SIGKILL)
        _ = try await ended()
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Overdue(description: "No pipe can be made.") }
        return (ends[0], ends[1])
    }

    private static func terminal() throws -> (read: Int32, write: Int32) {
        let master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let path = ptsname(master) else {
            throw Overdue(description: "No terminal can be made.")
        }
        var size = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        return (master, open(path, O_RDWR | O_NOCTTY | O_CLOEXEC))
    }
}
