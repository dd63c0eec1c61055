// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The time of a program from its start to its end, again and again.
enum CommandTimes {
    /// - Parameters:
    ///   - words: the path and the arguments; the output is discarded.
    ///   - folder: the program's home.
    ///   - check: called before each start; what it throws ends the loop.
    /// - Throws: ``TableError/doesNotStart(_:log:)`` if it does not end with 0.
    static func measure(
        _ words: [String], times: Int, folder: String, _ check: () throws -> Void
    ) throws -> Sample {
        var sample = Sample()
        for _ in 0..<times {
            try check()
            let begun = ContinuousClock.now
            let status = try run(words, folder)
            sample.add(ContinuousClock.now - begun)
            guard status == 0 else { throw TableError.doesNotStart(words[0], log: "it ended with \(status)") }
        }
        return sample
    }

    /// - Returns: what `waitpid` told.
    private static func run(_ words: [String], _ folder: String) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let variables = ["HOME=\(folder)", "XDG_CONFIG_HOME=\(folder)", "LANG=C.UTF-8", "TZ=UTC", "PATH=/usr/bin:/bin"]
        var arguments = words.map { strdup($0) } + [nil]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var (process, status) = (pid_t(0), Int32(0))
        guard posix_spawn(&process, words[0], &actions, nil, &arguments, &environment) == 0 else {
            throw TableError.notInstalled(words[0])
        }
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw TableError.doesNotStart(words[0], log: "it cannot be waited for") }
        }
        return status
    }
}
