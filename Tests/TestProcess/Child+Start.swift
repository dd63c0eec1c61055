// SPDX-License-Identifier: Apache-2.0

import Glibc
import ZeroMQ

/// The reason why a program cannot be started.
public struct SpawnError: Error, CustomStringConvertible {
    public let description: String
}

extension Child {
    struct Started: Sendable {
        var pid: pid_t
        /// The reading ends of the program's stdout and stderr; nil if they go to a file.
        var out: CInt?
        var err: CInt?
    }

    private typealias Pipe = (reader: CInt, writer: CInt)

    /// Starts programs one after another, so that none inherits an end of another's pipe and keeps it open.
    private static let starting = Locked(())

    static func start(
        _ words: [String], _ environment: [String: String], input: CInt?, output: Output, isApart: Bool
    ) throws(SpawnError) -> Started {
        try starting.withLock { _ throws(SpawnError) in
            var pipes: [Pipe] = []
            defer { for pipe in pipes { close(pipe.writer) } }
            do throws(SpawnError) {
                switch output {
                case .file: break
                case .lines: for _ in 0..<2 { pipes.append(try pipe()) }
                case .terminal:
                    pipes.append(try terminal())
                    pipes.append(try pipe())
                }
                let pid = try spawn(words, environment, isApart: isApart) { actions in
                    if let input {
                        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
                    } else {
                        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
                    }
                    if case .file(let path) = output {
                        let flags = O_WRONLY | O_CREAT | O_APPEND
                        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, flags, 0o644)
                        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
                    }
                    for (pipe, stream) in zip(pipes, [STDOUT_FILENO, STDERR_FILENO]) {
                        posix_spawn_file_actions_adddup2(&actions, pipe.writer, stream)
                    }
                }
                return Started(pid: pid, out: pipes.first?.reader, err: pipes.last?.reader)
            } catch {
                for pipe in pipes { close(pipe.reader) }
                throw error
            }
        }
    }

    /// As a shell does: the program blocks and ignores no signal.
    ///
    /// - Parameter isApart: whether the program has a process group of its own.
    private static func spawn(
        _ words: [String], _ environment: [String: String], isApart: Bool,
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
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        let arguments = words.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, words[0], &actions, &attributes, arguments, variables)
        guard code == 0 else {
            throw SpawnError(description: "\(words) cannot be started: \(String(cString: strerror(code)))")
        }
        return pid
    }

    private static func pipe() throws(SpawnError) -> Pipe {
        var ends: [CInt] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw SpawnError(description: "No pipe can be made.") }
        return closedToPrograms((ends[0], ends[1]))
    }

    private static func terminal() throws(SpawnError) -> Pipe {
        var (reader, writer): (CInt, CInt) = (-1, -1)
        var size = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&reader, &writer, nil, nil, &size) == 0 else {
            throw SpawnError(description: "No terminal can be made.")
        }
        return closedToPrograms((reader, writer))
    }

    private static func closedToPrograms(_ pipe: Pipe) -> Pipe {
        for end in [pipe.reader, pipe.writer] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return pipe
    }
}
