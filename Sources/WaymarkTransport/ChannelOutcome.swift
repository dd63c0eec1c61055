// SPDX-License-Identifier: Apache-2.0

/// How a request ended.
public enum ChannelOutcome: Sendable {
    /// An answer came. `body` is the encoded `Reply`, a failure perhaps.
    /// `unanswered` tells how many copies were sent that this does not answer: each of them may have been done.
    case answered(ReplyHeader, body: [UInt8], unanswered: Int)
    /// It was never sent: nobody listens there, or whoever does takes nothing. Nothing was done.
    case notConnected
    /// It was sent and not answered in time. Whether it was done is not known.
    case timedOut
    /// ``RequestChannel/cancel(_:)`` ended it. When `copies` were sent, it may have been done.
    case cancelled(copies: Int)
    /// ``RequestChannel/close()`` ended it. When `copies` were sent, it may have been done.
    case closed(copies: Int)
    /// Too many requests wait already. Nothing was done.
    case tooMany
}
