// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// Which thread a socket belongs to, asked at each use.
///
/// The compiler cannot keep a socket on one thread: it keeps one isolation from sharing it with another, and an `async`
/// function that is bound to no actor goes on after an `await` on whatever thread there is. libzmq then ends the process
/// somewhere else, or loses messages. So it ends here, with a sentence: that is a mistake in the program and nothing that
/// comes from outside.
struct SocketThread {
    private let number = LateThreads.original

    /// Fails the process unless the caller runs on this thread.
    @inline(__always)
    func check() {
        // The system is asked for the number once by each thread, so that this costs two nanoseconds.
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

/// The threads on which the jobs of loops that have ended still run: each stands for the thread that its loop had.
///
/// The loop's lock hands everything over from one to the next, which is the full fence that libzmq asks for.
enum LateThreads {
    static let originals = ThreadMarks<Int32>()

    /// The thread that the calling one stands for; itself if it stands for no other.
    static var original: Int32 { originals.current ?? waymark_gettid() }
}
