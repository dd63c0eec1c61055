// SPDX-License-Identifier: Apache-2.0

/// What libzmq's threads of a service carry. Those who ask have a thread of their own: a change for hundreds of
/// subscribers keeps a thread busy for milliseconds, and an answer behind it would wait as long.
public enum IOThreads {
    /// As many as a service's context has. A client's has one.
    public static let count = 2
    /// Requests that a service receives, and their answers.
    static let requests = 0
    /// Published and followed changes, and requests that a service makes.
    static let others = 1
}
