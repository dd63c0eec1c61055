// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why a program cannot be started.
public struct SpawnError: Error, CustomStringConvertible {
    public let description: String
}

/// Starts programs as a shell does: they block and ignore no signal.
public enum Spawn {
    /// - Parameters:
    ///   - words: an absolute path, and the arguments.
    ///   - variables: the environment, each as `name=value`.
    ///   - isApart: whether it has a process group of its own.
    ///   - streams: opens its stdin, stdout and stderr.
    public static func start(
        _ words: [String], _ variables: [String], isApart: Bool = false,
        _ streams: (inout posix_spawn_file_actions_t) -> Void
    ) throws(SpawnError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        streams(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (isApart ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let (arguments, environment) = (words.map { strdup($0) } + [nil], variables.map { strdup($0) } + [nil])
        defer { for text in arguments + environment { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, words[0], &actions, &attributes, arguments, environment)
        guard code == 0 else {
            throw SpawnError(description: "\(words) cannot be started: \(String(cString: strerror(code)))")
        }
        return pid
    }

    /// What `waitpid` has told, as a shell would say it: 128 plus the number of the signal that ended it, or its status.
    public static func exitStatus(_ told: Int32) -> Int32 {
        let signal = told & 0x7f
        return signal == 0 ? (told >> 8) & 0xff : 128 + signal
    }
}
