// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A child process. Its id stays its own until its end was waited for.
final class Child: Sendable {
    let pid: pid_t
    /// 128 plus the number of the signal that ended it, or its exit status.
    private let ended = Mutex<Int32?>(nil)

    /// - Parameters:
    ///   - input: a descriptor that becomes its stdin; nil for none.
    ///   - output: a file to which its stdout and stderr are appended.
    init(_ words: [String], input: CInt? = nil, output: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // A group of its own: an interrupt at the terminal is for the tests, which end it in order.
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let environment = ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC"]
        let (arguments, variables) = (words.map { strdup($0) } + [nil], environment.map { strdup($0) } + [nil])
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, words[0], &actions, &attributes, arguments, variables)
        guard code == 0 else { throw TestServerError("\(words) cannot be started: \(String(cString: strerror(code)))") }
        self.pid = pid
    }

    /// Nil while it runs.
    var status: Int32? {
        ended.withLock { ended in
            if let ended { return ended }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            let signal = status & 0x7f
            ended = signal == 0 ? (status >> 8) & 0xff : 128 + signal
            return ended
        }
    }

    func send(_ signal: Int32) {
        if status == nil { kill(pid, signal) }
    }

    /// - Returns: its status; nil after `time`.
    @discardableResult
    func wait(_ time: Duration) -> Int32? {
        Patience.until(time) { status != nil } ? status : nil
    }
}

/// Bounded waits.
enum Patience {
    /// - Returns: whether it came true.
    static func until(_ time: Duration, _ isTrue: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + time
        while !isTrue() {
            guard ContinuousClock.now < deadline else { return false }
            usleep(5_000)
        }
        return true
    }
}
