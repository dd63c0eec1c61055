// SPDX-License-Identifier: Apache-2.0

/// The work of a service's libzmq threads. Requests have a thread of their own: a change for hundreds of subscribers
/// keeps a thread busy for milliseconds, and an answer behind it would wait as long.
public enum IOThreads {
    /// The number of threads in a service's context. A client's context has one.
    public static let count = 2
    /// The thread of requests that a service receives, and of their answers.
    static let requests = 0
    /// The thread of published and followed changes, and of requests that a service makes.
    static let others = 1
}
