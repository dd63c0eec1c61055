// SPDX-License-Identifier: Apache-2.0

/// How a request ended.
public enum ChannelOutcome: Sendable {
    /// An answer arrived. `body` is the encoded `Reply`, which may be a failure. `unanswered` is the number of other
    /// copies that were sent, each of which may also have been executed.
    case answered(ReplyHeader, body: [UInt8], unanswered: Int)
    /// The request was never sent, because there was no connection or it accepted no messages. Nothing was done.
    case notConnected
    /// The request was sent and not answered in time. Whether it was done is unknown.
    case timedOut
    /// ``RequestChannel/cancel(_:)`` ended the request. It may have been done if `copies` is not 0.
    case cancelled(copies: Int)
    /// ``RequestChannel/close()`` ended the request. It may have been done if `copies` is not 0.
    case closed(copies: Int)
    /// Too many requests are waiting already. Nothing was done.
    case tooMany
    /// The request is larger than ``WaymarkProtocol/messageBytes`` and was not sent. Nothing was done.
    case tooLarge
}
