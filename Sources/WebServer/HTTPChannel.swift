// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Makes the handlers of each connection.
struct HTTPChannel: ServerChildChannel {
    struct Connection: ServerChildChannelValue {
        let channel: any Channel
        fileprivate let requests: RequestHandler
    }

    let limits: HTTPLimits
    let places: ConnectionPlaces
    /// Called before a connection is closed because its client does not read.
    let stalled: @Sendable () -> Void
    let respond: RequestHandler.Respond

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture {
            var bounds = NIOHTTPDecoderLimitConfiguration()
            (bounds.maxHeaderFieldSize, bounds.maxHeaderListSize) = (limits.headerBytes, limits.headerBytes)
            bounds.maxHeaderFieldCount = limits.headerFields
            let requests = RequestHandler(on: LoopExecutor(channel.eventLoop), respond)
            try channel.pipeline.syncOperations.addHandlers(
                HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: bounds)),
                HTTPVersionHandler(limits), ConnectionHandler(limits, places, stalled: stalled), requests)
            return Connection(channel: channel, requests: requests)
        }
    }

    /// Waits for the end of a connection and of its last answer.
    func handle(value connection: Connection, logger: Logger) async {
        let channel = connection.channel
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
            let last = try? await channel.eventLoop.submit { connection.requests.task }.get()
            await last?.value
        } onCancel: {
            channel.close(promise: nil)
            channel.eventLoop.execute { connection.requests.task?.cancel() }
        }
    }
}

/// Runs tasks on an event loop of NIO.
final class LoopExecutor: TaskExecutor {
    let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
