// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// The thread to which a socket belongs, checked at each use of the socket.
///
/// The compiler does not keep a socket on one thread. It keeps two isolations from sharing the socket, but an `async`
/// function that is bound to no actor may resume on any thread after an `await`. Used on another thread, libzmq would
/// end the process somewhere else or lose messages. So the process is ended here, with a message, because this is a
/// mistake in the program, which input from outside never causes.
struct SocketThread {
    private let number = LateThreads.original

    /// Traps unless the caller runs on this thread.
    @inline(__always)
    func check() {
        // Each thread asks the system for its id once, so this check costs two nanoseconds.
        if number != waymark_gettid() { checkLate() }
    }

    /// Returns whether the event loop with this thread id may watch the socket.
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

/// The threads that run late jobs of ended event loops, with the id of the original thread of each event loop.
///
/// One thread hands everything over to the next under the inbox's lock, which is the full fence that libzmq requires.
enum LateThreads {
    static let originals = ThreadMarks<Int32>()

    /// The id of the original thread for which the calling thread stands in, if any, or of the calling thread.
    static var original: Int32 { originals.current ?? waymark_gettid() }
}
