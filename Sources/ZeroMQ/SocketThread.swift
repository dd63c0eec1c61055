// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// The thread that a socket belongs to, checked at each use.
///
/// The compiler cannot keep a socket on one thread: it keeps one isolation from sharing it with another, but an `async`
/// function that is bound to no actor resumes after an `await` on any thread. libzmq then ends the process somewhere
/// else, or loses messages. So the process ends here, with a message: this is a mistake in the program, never caused by
/// input from outside.
struct SocketThread {
    private let number = LateThreads.original

    /// Traps unless the caller runs on this thread.
    @inline(__always)
    func check() {
        // Each thread asks the system for its number once, so this check costs two nanoseconds.
        if number != waymark_gettid() { checkLate() }
    }

    /// Whether the loop with this thread may watch the socket.
    func isThread(_ other: Int32) -> Bool { number == other }

    @inline(never)
    private func checkLate() {
        precondition(
            LateThreads.original == number,
            """
            a ZeroMQ socket is used on another thread than the one that made it: make it, use it and let go of it in one \
            actor that lives on an EventLoop, or in code without an `await`
            """)
    }
}

/// The threads that run late jobs of ended loops, each with the original thread of its loop.
///
/// The loop's lock hands everything over from one to the next, which is the full fence that libzmq asks for.
enum LateThreads {
    static let originals = ThreadMarks<Int32>()

    /// The original thread that the calling thread replaces; otherwise the calling thread itself.
    static var original: Int32 { originals.current ?? waymark_gettid() }
}
