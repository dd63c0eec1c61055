// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A child process. Its id stays its own until its end was waited for.
public final class Child: Sendable {
    public let pid: pid_t
    private let output: String
    /// 128 plus the number of the signal that ended it, or its exit status.
    private let ended = Mutex<Int32?>(nil)

    /// - Parameters:
    ///   - words: an absolute path, and the arguments.
    ///   - variables: its environment, each as `name=value`.
    ///   - input: a descriptor that becomes its stdin; nil for none.
    ///   - output: a file to which its stdout and stderr are appended.
    ///   - isApart: whether an interrupt at the terminal is for the tests alone, which end it in order.
    public init(
        _ words: [String], variables: [String] = ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC"], input: CInt? = nil,
        output: String, isApart: Bool = false
    ) throws(SpawnError) {
        self.output = output
        pid = try Spawn.start(words, variables, isApart: isApart) { actions in
            if let input {
                posix_spawn_file_actions_adddup2(&actions, input, 0)
            } else {
                posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            }
            posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
            posix_spawn_file_actions_adddup2(&actions, 1, 2)
        }
    }

    /// Nil while it runs.
    public var status: Int32? {
        ended.withLock { ended in
            if let ended { return ended }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            ended = Spawn.exitStatus(status)
            return ended
        }
    }

    public func send(_ signal: Int32) {
        if status == nil { kill(pid, signal) }
    }

    /// Waits, and reports a process that does not end.
    ///
    /// - Returns: its status; nil after `time`.
    @discardableResult
    public func wait(_ time: Duration) -> Int32? {
        let status = ended(within: time)
        if status == nil { reportStandstill(time) }
        return status
    }

    /// Writes to stderr where the process stands, after it was waited for in vain.
    public func reportStandstill(_ time: Duration) {
        let report = "Waited \(time) for the end of a process.\n\(Standstill.report(pid))\n\(Standstill.tail(output))\n"
        FileHandle.standardError.write(Data(report.utf8))
    }

    /// Waits, and reports nothing: for an end that need not come.
    ///
    /// - Returns: its status; nil after `time`.
    @discardableResult
    public func ended(within time: Duration) -> Int32? {
        let deadline = ContinuousClock.now + time
        while true {
            if let status { return status }
            guard ContinuousClock.now < deadline else { return nil }
            usleep(5_000)
        }
    }
}
