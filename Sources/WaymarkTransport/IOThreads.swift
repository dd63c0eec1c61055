// SPDX-License-Identifier: Apache-2.0

/// The division of a service's work between libzmq's I/O threads. Requests have a thread of their own, because sending
/// a change to hundreds of subscribers keeps a thread busy for milliseconds, and answers on the same thread would wait.
public enum IOThreads {
    /// The number of I/O threads in a service's context. A client's context has one.
    public static let count = 2
    /// The index of the thread for the requests that a service receives, and for their answers.
    static let requests = 0
    /// The index of the thread for published and followed changes, and for the requests that a service makes.
    static let others = 1
}
