// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import ZeroMQ

/// The handling of signals by a command.
///
/// The system may deliver a signal on any thread of the process, including threads of libraries. Therefore plain
/// handlers are used, which call only functions that POSIX allows in a handler: `_exit`, `kill` and `write`.
enum Signals {
    private static let pipe = Atomic<Int32>(-1)
    private static let count = Atomic<Int>(0)
    private static let resized = Atomic<Int32>(-1)
    /// Whether a thread handles a second signal, and then ends the process.
    private static let hasSecond = Atomic<Bool>(false)

    /// The child processes to kill when a second signal ends this process, because nothing else would end them then.
    private static let firstChild = Atomic<Int32>(0)
    private static let secondChild = Atomic<Int32>(0)

    /// Registers a child process to kill. At most two can be registered.
    static func endWithUs(_ pid: pid_t) {
        if !firstChild.compareExchange(expected: 0, desired: pid, ordering: .relaxed).exchanged {
            _ = secondChild.compareExchange(expected: 0, desired: pid, ordering: .relaxed)
        }
    }

    static func hasEnded(_ pid: pid_t) {
        _ = firstChild.compareExchange(expected: pid, desired: 0, ordering: .relaxed)
        _ = secondChild.compareExchange(expected: pid, desired: 0, ordering: .relaxed)
    }

    /// Makes SIGINT and SIGTERM end the process with the exit codes 130 and 143, and SIGPIPE end it silently.
    ///
    /// - Parameter others: further signals that end the process in the same way. A signal that the parent process
    ///   ignores stays ignored, as nohup(1) expects.
    static func endTheProcess(others: [Int32] = []) {
        // Static variables are initialised at their first use, which must happen before a handler can run.
        _ = (
            pipe.load(ordering: .relaxed), count.load(ordering: .relaxed), firstChild.load(ordering: .relaxed),
            secondChild.load(ordering: .relaxed), hasSecond.load(ordering: .relaxed)
        )
        for number in [SIGINT, SIGTERM] { signal(number, handler) }
        for number in others where !isIgnored(number) { signal(number, handler) }
        signal(SIGPIPE, SIG_DFL)
    }

    /// Makes the first SIGINT or SIGTERM call `body` on a new thread and then end the process with 130 or 143. A second
    /// signal ends the process at once.
    static func beforeTheEnd(_ body: @escaping @Sendable () -> Void) {
        atFirst { number in
            body()
            _exit(128 + number)
        }
    }

    /// Makes the first SIGINT or SIGTERM call `body` with the signal's number on a new thread. A second signal ends the
    /// process with 130 or 143.
    ///
    /// - Parameter cleanUp: called on the same thread after the second signal, when the child processes were killed and
    ///   before the process ends. A third signal does not wait for it.
    static func atFirst(
        _ body: @escaping @Sendable (Int32) -> Void, beforeSecondEnds cleanUp: (@Sendable () -> Void)? = nil
    ) {
        guard let (reader, writer) = makePipe() else { return }
        startDetachedThread("waymark-signal") {
            body(Self.next(reader))
            guard let cleanUp else { return }
            let second = Self.next(reader)
            cleanUp()
            _exit(128 + second)
        }
        hasSecond.store(cleanUp != nil, ordering: .relaxed)
        pipe.store(writer, ordering: .relaxed)
    }

    /// Calls `body` on its own thread whenever the terminal's size changes. Only one caller may use this function.
    static func whenResized(_ body: @escaping @Sendable () -> Void) {
        guard let (reader, writer) = makePipe() else { return }
        // The handler must not block while writing. If the pipe is full, it already reports a change.
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        startDetachedThread("waymark-resize") {
            var bytes = [UInt8](repeating: 0, count: 64)
            while true {
                let count = read(reader, &bytes, bytes.count)
                if count > 0 { body() } else if count == 0 || errno != EINTR { return }
            }
        }
        resized.store(writer, ordering: .relaxed)
        signal(SIGWINCH, resizeHandler)
    }

    private static func makePipe() -> (reader: Int32, writer: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Waits until the handler has written the number of a signal.
    private static func next(_ reader: Int32) -> Int32 {
        var number: UInt8 = 0
        while read(reader, &number, 1) < 0, errno == EINTR {}
        return Int32(number)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SIG_IGN is the number 1 in the place of a function pointer.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Ends the process in the same way as a write to a closed pipe.
    static func endQuietly() -> Never {
        signal(SIGPIPE, SIG_DFL)
        kill(getpid(), SIGPIPE)
        // Reached only if SIGPIPE is blocked, or was ignored by the parent process.
        _exit(ExitStatus.readerGone.rawValue)
    }

    /// Ends the process as soon as the reader of stdout closes it, if stdout is a pipe. Without this, a command that
    /// writes nothing for hours would not notice.
    static func endWhenStdoutCloses() {
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return }
        startDetachedThread("waymark-stdout") {
            var entry = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&entry, 1, -1) < 0, errno == EINTR {}
            endQuietly()
        }
    }

    private static let handler: @convention(c) (Int32) -> Void = { number in
        let descriptor = pipe.load(ordering: .relaxed)
        let before = descriptor < 0 ? Int.max : count.wrappingAdd(1, ordering: .relaxed).oldValue
        if before > 0 {
            // Two variables instead of an array, because a signal handler must not allocate memory.
            let (first, second) = (firstChild.load(ordering: .relaxed), secondChild.load(ordering: .relaxed))
            if first > 0 { kill(first, SIGKILL) }
            if second > 0 { kill(second, SIGKILL) }
            if before > 1 || !hasSecond.load(ordering: .relaxed) { _exit(128 + number) }
        }
        var byte = UInt8(truncatingIfNeeded: number)
        let saved = errno
        _ = write(descriptor, &byte, 1)
        errno = saved
    }

    private static let resizeHandler: @convention(c) (Int32) -> Void = { _ in
        var byte: UInt8 = 0
        let saved = errno
        _ = write(resized.load(ordering: .relaxed), &byte, 1)
        errno = saved
    }
}
