// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// The handlers and the task of each connection. The task runs on the connection's event loop, so that neither a
/// request on its way to the responder nor its answer on the way back changes threads.
struct HTTPChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let limits: HTTPLimits
    let places: ConnectionPlaces
    /// Called before a connection is closed because its client does not read.
    let stalled: @Sendable () -> Void
    let responder: Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var bounds = NIOHTTPDecoderLimitConfiguration()
            (bounds.maxHeaderFieldSize, bounds.maxHeaderListSize) = (limits.headerBytes, limits.headerBytes)
            bounds.maxHeaderFieldCount = limits.headerFields
            let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: bounds)
            try channel.pipeline.syncOperations.addHandlers(
                HTTPResponseEncoder(), ByteToMessageHandler(decoder), HTTPVersionHandler(limits),
                ConnectionHandler(limits, places, stalled: stalled),
                HTTPConnectionStateHandler(idleTimeout: Duration(limits.idle), logger: logger))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    func handle(value channel: Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor(channel.channel.eventLoop)) {
            await handleHTTP(asyncChannel: channel, logger: logger)
        }
    }
}

/// Runs tasks on an event loop of NIO.
private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
