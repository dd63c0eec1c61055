// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Foundation
public import Landmarks
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

    let loop: EventLoop
    let context: Context
    let options: Options
    private let identity: UUIDv7
    private var sequence: UInt64 = 0
    private var channel: RequestChannel?
    /// The latest position that a write of this client made: its own reads do not go back behind it.
    private(set) var written: Position?
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
        loop = EventLoop(name: "waymark-client")
        ownsContext = context == nil
        var generator = UUIDv7Generator()
        identity = generator.next(now: WallClock.milliseconds)
        do {
            self.context = try context ?? Context()
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
                loop: loop, context: context, endpoint: options.endpoint, versions: options.protocolVersions)
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

    /// Sends a request and waits for its answer.
    ///
    /// A refusal that the same request may outlive (``ErrorCode/isRetryable``) is tried again while there is time.
    ///
    /// - Parameter atLeast: answer from this position or a later one; nil: from that of this client's last write.
    public func send(
        _ request: WireRequest, atLeast: Position? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> (Standing?, WireReply) {
        let (standing, body) = try await sendEncoded(request, atLeast: atLeast, timeout: timeout)
        guard let reply = try? WireReply(serializedBytes: body) else { throw .unreadableAnswer("reply") }
        return (standing, reply)
    }

    /// As ``send(_:atLeast:timeout:)``, with the landmarks in the answer left in encoded form.
    func sendReady(_ request: WireRequest) async throws(ClientError) -> (Standing?, WireReadyReply) {
        let (standing, body) = try await sendEncoded(request, atLeast: nil, timeout: nil)
        guard let reply = try? WireReadyReply(serializedBytes: body) else { throw .unreadableAnswer("reply") }
        return (standing, reply)
    }

    private func sendEncoded(
        _ request: WireRequest, atLeast: Position?, timeout: Duration?
    ) async throws(ClientError) -> (Standing?, [UInt8]) {
        sequence += 1
        let header = RequestHeader(
            key: RequestKey(client: identity, sequence: sequence), user: options.user,
            atLeast: atLeast ?? (request.namesPosition ? nil : written))
        let body = request.encoded
        guard body.count <= WaymarkProtocol.messageBytes else {
            throw .refused(ServiceError(.tooLarge, "The request is larger than \(WaymarkProtocol.messageBytes) bytes."))
        }
        // As long as services keep a request at most; a longer wait is for the caller to make of several.
        let longest = Duration.milliseconds(WaymarkProtocol.timeoutMilliseconds)
        let deadline = ContinuousClock.now + min(timeout ?? options.timeout, longest)
        // Whether a copy was sent that nobody has answered: a refusal of a later one says nothing about it.
        var isUncertain = false
        var isRenegotiated = request.isHello
        while true {
            let left = deadline - ContinuousClock.now
            let (answer, reply, copies) = try await exchange(
                header, body, version: request.isHello ? options.protocolVersions.lowerBound : nil,
                isWrite: request.isWrite, left: max(left, .zero))
            if copies > 1 { isUncertain = true }
            guard let failure = WireFailure(ofReply: reply) else {
                let standing = Standing(answer)
                if request.isWrite, let position = standing?.position { wrote(position) }
                return (standing, reply)
            }
            let error = ServiceError(failure)
            if [.epochChanged, .futureRevision].contains(error.code) { written = nil }
            if error.code == .protocolVersion, !isRenegotiated {
                // The service is another release now. It has not done anything, and another version may be in common.
                isRenegotiated = true
                _ = try await hello()
                continue
            }
            let pause = Duration.milliseconds(max(100, Int64(error.retryAfter)))
            if error.code.isRetryable, ContinuousClock.now + pause < deadline, !Task.isCancelled {
                try? await Task.sleep(for: pause)
                // A busy machine may sleep longer than it was told to.
                if ContinuousClock.now < deadline { continue }
            }
            guard request.isWrite, isUncertain, error.code.isRetryable else { throw .refused(error) }
            throw .timedOut(endpoint: options.endpoint, isWrite: true)
        }
    }

    /// A method of its own: the body of a cancellation handler does not run on the actor.
    private func ask(
        _ header: RequestHeader, _ body: [UInt8], _ version: UInt8?, milliseconds: UInt64
    ) async -> ChannelOutcome {
        // Whoever was cancelled before has nobody to tell it.
        guard let channel, !Task.isCancelled else { return .timedOut }
        return await withCheckedContinuation { continuation in
            channel.submit(header, body: body, version: version, milliseconds: milliseconds) {
                continuation.resume(returning: $0)
            }
        }
    }

    private func cancelRequest(_ key: RequestKey) { channel?.cancel(key) }

    private func wrote(_ position: Position) {
        guard let seen = written, seen.epoch == position.epoch, seen.rev > position.rev else {
            written = position
            return
        }
    }

    private func exchange(
        _ header: RequestHeader, _ body: [UInt8], version: UInt8?, isWrite: Bool, left: Duration
    ) async throws(ClientError) -> (ReplyHeader, [UInt8], copies: Int) {
        guard channel != nil else { throw .closed }
        let key = header.key
        let outcome = await withTaskCancellationHandler {
            await self.ask(header, body, version, milliseconds: UInt64(left / .milliseconds(1)))
        } onCancel: {
            Task { await self.cancelRequest(key) }
        }
        switch outcome {
        case .answered(let header, let body, let copies):
            return (header, body, copies)
        case .notConnected:
            throw .cannotConnect(endpoint: options.endpoint, reason: self.channel?.lastFailure)
        case .timedOut:
            throw self.channel == nil ? .closed : .timedOut(endpoint: options.endpoint, isWrite: isWrite)
        case .tooMany: throw .tooMany
        }
    }
}

extension WireFailure {
    /// Nil when the encoded reply is none: a failure is the first field, and then the only one.
    init?(ofReply bytes: [UInt8]) {
        // Field 1, length-delimited.
        guard bytes.first == 0x0a, case .failure(let failure)? = (try? WireReply(serializedBytes: bytes))?.result
        else { return nil }
        self = failure
    }
}

extension Standing {
    init?(_ header: ReplyHeader) {
        guard let position = header.position else { return nil }
        self.init(position: position, age: header.ageMs, isStorageAway: header.storageAway)
    }
}

extension WireRequest {
    /// Whether it says itself from which position on; a position that is gone must not hide behind another one.
    fileprivate var namesPosition: Bool {
        switch command {
        case .hello, .changes, .snapshot: true
        default: false
        }
    }

    fileprivate var isHello: Bool {
        if case .hello? = command { true } else { false }
    }

    /// Whether it may change something.
    public var isWrite: Bool {
        switch command {
        case .add, .edit, .remove, .addNote, .editNote, .removeNote: true
        case .ingest(let ingest): !ingest.dryRun
        default: false
        }
    }
}
