// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import FoundationEssentials
import Landmarks
import Logging
import SwiftProtobuf
public import WaymarkProtocol
internal import WaymarkTransport
public import ZeroMQ

/// A connection to a query service: requests, and the feed of changes.
///
/// It has a thread of its own, which owns its sockets. A request without an answer is sent again under the same
/// number until its time is over; the services recognise the number, so a write is done once. The client lives until
/// ``close()`` is called.
public actor WaymarkClient {
    /// The endpoint, the user and the limits of a client.
    public struct Options: Sendable {
        /// Where query services are: the client uses one at a time, and the next one when that one does not serve any
        /// more. All of them follow the same storage; where accounts are required, all have the same key. At least one.
        public var endpoints: [String]
        /// The name under which changes are made. Required for writes where accounts are not; where they are, it counts
        /// for nothing.
        public var user: String
        /// The client's keys, for services that require accounts.
        public var keys: ClientKeys?
        /// The time limit of one request, including repeated sends and retries.
        public var timeout: Duration
        /// Name and version of the program, for the services' logs.
        public var agent: String
        /// What happens to a request while nothing listens at the endpoint.
        public var whenRefused = WhenRefused.tryAgain
        /// The endpoint where changes are followed, if the one that the service announces leads nowhere from here: through a
        /// tunnel, or where another port was published for it. Nil: as announced. The publisher's key is the announced one.
        public var feed: String?
        /// The bounds of a feed's queue. Only tests change them.
        package var feedBounds = FeedBounds()
        /// The protocol versions that the client speaks. Only tests of mixed releases change them.
        package var protocolVersions = WaymarkProtocol.versions

        public init(
            endpoint: String = WaymarkProtocol.defaultQueryEndpoint, user: String = "",
            timeout: Duration = .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds),
            agent: String = "waymark-client \(Product.version)", keys: ClientKeys? = nil
        ) {
            endpoints = [endpoint]
            self.user = user
            self.keys = keys
            self.timeout = timeout
            self.agent = agent
        }

        /// The endpoints, for people.
        var endpoint: String { endpoints.joined(separator: ",") }
    }

    /// What happens to a request when the connection is refused, as it is where nothing listens.
    public enum WhenRefused: Sendable, Hashable {
        /// The request waits until its time is over, because the service may be starting. For programs that keep
        /// running.
        case tryAgain
        /// The request ends at once with ``ClientError/cannotConnect(endpoint:reason:)``, unless there was a
        /// connection before. For programs that ask once.
        case giveUp
    }

    let loop: EventLoop
    let context: Context
    let options: Options
    let identity: UUIDv7
    var sequence: UInt64 = 0
    var channel: RequestChannel?
    /// The latest position that a write of this client made. Its own reads ask for this position or a later one.
    var written: Position?
    var taps: [Int: FeedTap] = [:]
    var lastTap = 0
    var closedFeeds = FeedCounters()
    private let ownsContext: Bool
    /// Keeps the actor alive until it is closed: its sockets must be closed on its own thread, whichever thread
    /// releases the last reference. (An `isolated deinit` would do the same, but in release builds Swift 6.3 cannot
    /// compile importers of one.)
    private var itself: WaymarkClient?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter context: a ZeroMQ context that the process already has; nil makes a new one.
    /// - Throws: ``ClientError/cannotConnect(endpoint:reason:)`` when the endpoint is malformed.
    public init(_ options: Options, context: Context? = nil) async throws(ClientError) {
        self.options = options
        ownsContext = context == nil
        var generator = UUIDv7Generator()
        identity = generator.next(now: WallClock.milliseconds)
        do {
            self.context = try context ?? Context()
            loop = try EventLoop(name: "waymark-client")
        } catch {
            throw .cannotConnect(endpoint: options.endpoint, reason: "\(error)")
        }
        do throws(ClientError) {
            // An actor's async initialiser runs on the actor once its properties are set: the socket is made there.
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
                hooks: RequestChannel.Hooks(onConnection: { [weak self] isThere in
                    if isThere { self?.assumeIsolated { $0.findFeedAgain() } }
                }))
            itself = self
        } catch {
            throw .cannotConnect(endpoint: options.endpoint, reason: "\(error)")
        }
    }

    /// Ends waiting requests and feeds, and closes the sockets and the thread.
    public func close() async {
        shut()
        if ownsContext {
            let context = context
            context.shutdown()
        }
        await loop.stop()
    }

    private func shut() {
        for tap in taps.values { tap.close() }
        taps.removeAll()
        channel?.close()
        channel = nil
        itself = nil
    }

    /// Greets the service, and learns where changes are published.
    public func hello() async throws(ClientError) -> Welcome { try await hello(topic: nil) }

    /// - Parameter topic: the topic to be subscribed to. The service refuses if nothing is ever published under it.
    func hello(topic: FeedTopic?) async throws(ClientError) -> Welcome {
        var request = WireRequest()
        request.hello = .with {
            $0.minProtocol = UInt32(options.protocolVersions.lowerBound)
            $0.maxProtocol = UInt32(options.protocolVersions.upperBound)
            $0.agent = options.agent
            if let topic { $0.topic = Data(topic.bytes) }
        }
        let (standing, reply) = try await send(request)
        guard case .welcome(let welcome)? = reply.result, let run = UUIDv7(bytes: welcome.run),
            // The run in the message is the service's. The run of the storage that made the position is in the
            // header.
            let position = standing?.position
        else { throw .unreadableAnswer("hello") }
        do throws(ServiceError) { try channel?.speak(welcome.protocol) } catch { throw .refused(error) }
        return Welcome(
            service: welcome.service, version: welcome.version, position: position, floor: welcome.floor, run: run,
            changesEndpoint: options.feed ?? Endpoint.found(welcome.changesEndpoint, by: channel?.endpoint ?? ""),
            feedForm: FeedTopic.Form(offered: welcome.feedVersion),
            changesKey: CurveKey(bytes: [UInt8](welcome.changesKey)))
    }
}
