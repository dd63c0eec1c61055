// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client does not read for some time. It would hold its place, and what waits to be written,
/// for ever.
final class WriteDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let time: TimeAmount
    private let stalled: @Sendable () -> Void
    private var deadline: Scheduled<Void>?

    /// - Parameter stalled: called before a connection is closed.
    init(_ time: TimeAmount, stalled: @escaping @Sendable () -> Void) {
        (self.time, self.stalled) = (time, stalled)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        deadline?.cancel()
        if !context.channel.isWritable {
            let (channel, stalled) = (context.channel, stalled)
            deadline = context.eventLoop.scheduleTask(in: time) {
                stalled()
                channel.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }
}
