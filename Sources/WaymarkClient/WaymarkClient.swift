// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Foundation
import Landmarks
import Logging
import SwiftProtobuf
public import WaymarkProtocol
import WaymarkTransport
public import ZeroMQ

/// A connection to a query service: requests, and the feed of changes.
///
/// It lives on a thread of its own, which owns its sockets. Requests that stay without an answer are sent again under
/// the same number until their time is over; the services recognise them, so a write is done once. It goes on until
/// ``close()`` is called.
public actor WaymarkClient {
    /// Where and as whom.
    public struct Options: Sendable {
        public var endpoint: String
        /// Claimed, not proven, until accounts exist. Needed for writes.
        public var user: String
        /// How long one request may take, sendings again and retries included.
        public var timeout: Duration
        /// Name and version of the program, for the services' logs.
        public var agent: String
        /// What becomes of a request while nobody listens.
        public var whenRefused = WhenRefused.tryAgain
        /// How much a feed lets gather. Other bounds are for tests.
        package var feedBounds = FeedBounds()
        /// What it speaks. Another range is for tests of how releases meet.
        package var protocolVersions = WaymarkProtocol.versions

        public init(
            endpoint: String = WaymarkProtocol.defaultQueryEndpoint, user: String = "",
            timeout: Duration = .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds),
            agent: String = "waymark-client \(Product.version)"
        ) {
            self.endpoint = endpoint
            self.user = user
            self.timeout = timeout
            self.agent = agent
        }
    }

    /// What becomes of a request when the connection is refused, as it is where nobody listens.
    public enum WhenRefused: Sendable, Hashable {
        /// It waits as long as it may: whoever is to listen may be starting. For programs that stay.
        case tryAgain
        /// It ends at once with ``ClientError/cannotConnect(endpoint:reason:)``, unless there has been a connection
        /// before. For programs that ask once.
        case giveUp
    }

    let loop: EventLoop
    let context: Context
    let options: Options
    let identity: UUIDv7
    var sequence: UInt64 = 0
    var channel: RequestChannel?
    /// The latest position that a write of this client made: its own reads do not go back behind it.
    var written: Position?
    var taps: [Int: FeedTap] = [:]
    var lastTap = 0
    var closedFeeds = FeedCounters()
    private let ownsContext: Bool
    /// Keeps the actor until it is closed: its sockets have to end on its own thread, wherever its last owner lets go.
    /// (An `isolated deinit` would do the same; Swift 6.3 cannot compile importers of one in release builds.)
    private var itself: WaymarkClient?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter context: one that the process has already; nil makes one of its own.
    /// - Throws: ``ClientError/cannotConnect(endpoint:reason:)`` when the endpoint is not one.
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
                loop: loop, context: context, endpoint: options.endpoint, versions: options.protocolVersions,
                endsWhenRefused: options.whenRefused == .giveUp)
            itself = self
        } catch {
            throw .cannotConnect(endpoint: options.endpoint, reason: "\(error)")
        }
    }

    /// Ends what waits, closes the sockets and the thread.
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

    /// Greets the service and learns where changes are published.
    public func hello() async throws(ClientError) -> Welcome { try await hello(topic: nil) }

    /// - Parameter topic: one that is going to be subscribed to; refused when nothing will ever be published there.
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
            // The service's run is in the message; that of the storage which told the position is in the header.
            let position = standing?.position
        else { throw .unreadableAnswer("hello") }
        do throws(ServiceError) { try channel?.speak(welcome.protocol) } catch { throw .refused(error) }
        return Welcome(
            service: welcome.service, version: welcome.version, position: position, floor: welcome.floor, run: run,
            changesEndpoint: welcome.changesEndpoint)
    }
}
