// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request does not come to its end in time.
///
/// The time for silence begins anew with each byte that comes, so somebody who sends one from time to time would keep the
/// connection for ever; and there are few of them.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let time: TimeAmount
    private var deadline: Scheduled<Void>?

    init(_ time: TimeAmount) {
        self.time = time
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        case .body: break
        case .end: deadline?.cancel()
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }
}
