// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// The sockets of a client, on a thread of their own. Connects, sends requests and follows feeds.
actor ClientConnection {
    let loop: EventLoop
    let context: Context
    let options: ClientOptions
    /// The state that callers use on their own threads.
    let desk = Locked(RequestDesk())
    private(set) var channel: RequestChannel?
    var consumers: [Int: FeedConsumer] = [:]
    var lastConsumer = 0
    var closedFeeds = FeedCounters()
    private let ownsContext: Bool
    /// Keeps the actor alive until it is closed, because its sockets must be closed on its own thread, and the last
    /// reference may be released on any thread. (An `isolated deinit` would do the same, but in release builds Swift
    /// 6.3 cannot compile a module that imports a type with an `isolated deinit`.)
    private var itself: ClientConnection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter context: a ZeroMQ context of the process; nil to make a new one.
    /// - Throws: ``ClientError/cannotConnect(endpoint:reason:)`` if the endpoint is malformed.
    init(_ options: ClientOptions, context: Context?) async throws(ClientError) {
        self.options = options
        ownsContext = context == nil
        do {
            self.context = try context ?? Context()
            loop = try EventLoop(name: "waymark-client")
        } catch {
            throw .cannotConnect(endpoint: options.endpoint, reason: "\(error)")
        }
        do throws(ClientError) {
            // Opening here is isolated: an actor's async initialiser runs on the actor once its properties are set.
            try open()
        } catch {
            await loop.stop()
            throw error
        }
    }

    private func open() throws(ClientError) {
        do {
            channel = try RequestChannel(
                loop: loop, context: context, endpoints: options.endpoints, versions: options.protocolVersions,
                security: { [keys = options.keys] in keys?.security($0) },
                endsWhenRefused: options.whenRefused == .giveUp,
                hooks: RequestChannel.Hooks(
                    around: { [desk] count, finish in
                        desk.withLock { $0.awaken(count) }
                        finish()
                    },
                    onConnection: { [weak self] isThere in
                        if isThere { self?.assumeIsolated { $0.findFeedAgain() } }
                    }))
            itself = self
        } catch {
            throw .cannotConnect(endpoint: options.endpoint, reason: "\(error)")
        }
    }

    /// Ends waiting requests and feeds, closes the sockets, and stops the thread.
    func close() async {
        desk.withLock { $0.isClosed = true }
        for consumer in consumers.values { consumer.close() }
        consumers.removeAll()
        channel?.close()
        (channel, itself) = (nil, nil)
        if ownsContext { context.shutdown() }
        await loop.stop()
    }

    /// Sends a `hello` to the service, and learns where changes are published.
    ///
    /// - Parameter topic: the topic to which the client is going to subscribe, if any. The service refuses the request
    ///   if nothing is ever published on it.
    func hello(topic: FeedTopic? = nil) async throws(ClientError) -> Welcome {
        let request = WireRequest.hello(options.protocolVersions, agent: options.agent, topic: topic)
        let (freshness, body) = try await send(EncodedRequest(request))
        guard let reply = try? WireReply(serializedBytes: body) else { throw .unreadableAnswer("reply") }
        guard case .welcome(let welcome)? = reply.result, let run = UUIDv7(bytes: welcome.run),
            // `run` in the message is the service's own run. The header has the run of storage.
            let position = freshness?.position
        else { throw .unreadableAnswer("hello") }
        do throws(ServiceError) { try channel?.speak(welcome.protocol) } catch { throw .refused(error) }
        return Welcome(
            service: welcome.service, version: welcome.version, position: position, floor: welcome.floor, run: run,
            changesEndpoint: options.feed ?? Endpoint.found(welcome.changesEndpoint, by: channel?.endpoint ?? ""),
            changesKey: CurveKey(bytes: [UInt8](welcome.changesKey)))
    }
}
