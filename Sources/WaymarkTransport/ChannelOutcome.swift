// SPDX-License-Identifier: Apache-2.0

/// How a request ended.
public enum ChannelOutcome: Sendable {
    /// An answer arrived. `body` is the encoded `Reply`, which may be a failure. `unanswered` is the number of further
    /// copies of the request that were sent; each of them may also have been executed.
    case answered(ReplyHeader, body: [UInt8], unanswered: Int)
    /// The request was never sent: there was no connection, or the connection accepted no messages. Nothing was done.
    case notConnected
    /// The request was sent, but not answered in time. Whether it was executed is unknown.
    case timedOut
    /// ``RequestChannel/cancel(_:)`` ended the request. It may have been executed if `copies`, its number of sent
    /// copies, is not 0.
    case cancelled(copies: Int)
    /// ``RequestChannel/close()`` ended the request. The request may have been executed if `copies` is not 0.
    case closed(copies: Int)
    /// The request was not accepted, because too many requests are waiting already. Nothing was done.
    case tooMany
    /// The request is larger than ``WaymarkProtocol/messageBytes`` and was not sent. Nothing was done.
    case tooLarge
}
