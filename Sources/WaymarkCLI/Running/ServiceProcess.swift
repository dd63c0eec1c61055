// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import ServiceHost
import Settings
import WaymarkJSON
import ZeroMQ

/// A service as a child process.
///
/// The process has its own process group, so that Ctrl-C on the terminal reaches only the load test. The test then
/// stops the service.
final class ServiceProcess: Sendable {
    let pid: pid_t
    private let name: String
    private let log: String
    /// The exit status; nil while the process runs.
    private let ended = Locked<Int32?>(nil)
    private let ending = ChangeSignal()

    /// Returns the path of a program beside the running program, or in PATH.
    static func program(_ name: String) throws(Failure) -> String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = [PathText.folder(of: own)] + path.split(separator: ":").map(String.init)
        let programs = folders.lazy.map { "\($0)/\(name)" }
        return try programs.first { FileManager.default.isExecutableFile(atPath: $0) }.or(
            Failure(
                "embedded",
                "\(name) is neither beside this program nor in PATH: install it, or test a running service with "
                    + "--connect."))
    }

    /// - Parameter log: the path of the log file to create.
    init(_ program: String, _ arguments: [String], log: String) throws(Failure) {
        name = PathText.name(of: program)
        self.log = log
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
        // Leave out the person's own settings, because they must not affect the tested services.
        let kept = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("WAYMARK_") }
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = kept.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, program, &actions, &attributes, &words, &variables)
        guard code == 0 else {
            throw Failure("embedded", "\(program) cannot be started: \(String(cString: strerror(code))).")
        }
        self.pid = pid
        Signals.endWithUs(pid)
        startDetachedThread("waymark-child") { [ended, ending, pid] in
            var information = siginfo_t()
            // The lock is held while the process is reaped, so that no signal is sent to a later process with the same
            // id.
            while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            ended.withLock { ended in
                var status: Int32 = 0
                waitpid(pid, &status, 0)
                Signals.hasEnded(pid)
                ended = status
            }
            ending.send()
        }
    }

    var hasEnded: Bool { ended.withLock { $0 != nil } }

    /// Waits for the first log line with this message, and returns it.
    func line(_ message: String, within time: Duration) async throws -> JSONValue {
        let deadline = ContinuousClock.now + time
        while true {
            // Check whether the process has ended before reading its log, so that the last line is not missed.
            let isOver = hasEnded || ContinuousClock.now > deadline
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            for line in text.split(separator: "\n") {
                if let line = try? JSONReader.read(Array(line.utf8)), line["message"]?.text == message { return line }
            }
            guard !isOver else {
                let last = text.split(separator: "\n").last.map { " Its last line: \($0)" } ?? ""
                throw Failure("embedded", "\(name) does not start.\(last)")
            }
            // No event tells that a file has grown, so poll.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Asks the process to end, and kills it if it does not end in time.
    func stop() async {
        for number in [SIGTERM, SIGKILL] {
            ended.withLock { _ = $0 == nil ? kill(pid, number) : 0 }
            if await ending.wait(atMost: .seconds(10), until: { hasEnded }) { return }
        }
    }
}
