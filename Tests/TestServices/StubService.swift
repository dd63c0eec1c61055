// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// A service that treats each request as the test says, and publishes a feed if the test wants one.
public actor StubService {
    public enum Turn: Sendable {
        /// The request is received and never answered.
        case swallow
        case refuse(ErrorCode)
        case answer(WireReply, at: Position? = nil)
    }

    private let loop = EventLoop.forTest("stub")
    private var server: RequestServer?
    private var publisher: FeedPublisher?
    private let turn: @Sendable (IncomingRequest) -> Turn
    /// The received requests, in order.
    public private(set) var taken: [RequestKind] = []
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(treating turn: @escaping @Sendable (IncomingRequest) -> Turn) { self.turn = turn }

    public init(_ turn: @escaping @Sendable (RequestKind) -> Turn) { self.turn = { turn($0.address.kind) } }

    /// A service that decodes the requests, and leaves those that it cannot decode unanswered.
    ///
    /// As with a real service, a copy of an answered request gets the same answer, and `turn` is not called again: on a
    /// busy machine the client may send one. A refused or swallowed request is new when it comes again.
    public static func reading(_ turn: @escaping @Sendable (WireRequest.OneOf_Command) -> Turn) -> StubService {
        let answered = Locked<[RequestKey: Turn]>([:])
        return StubService(treating: { request in
            let key = request.address.key
            if let known = answered.withLock({ $0[key] }) { return known }
            guard let command = (try? WireRequest(serializedBytes: request.body))?.command else { return .swallow }
            let made = turn(command)
            if case .answer(let reply, _) = made, ErrorCode(ofReply: reply.encoded) == nil {
                answered.withLock { $0[key] = made }
            }
            return made
        })
    }

    public func start(at endpoint: String, _ context: Context, security: SocketSecurity? = nil) throws -> String {
        let server = try RequestServer(
            loop: loop, context: context, endpoint: endpoint, rule: ConnectionRule(security: security))
        server.start(on: loop) { [weak self] in self?.assumeIsolated { $0.receive() } }
        self.server = server
        return server.endpoint
    }

    public func startFeed(at endpoint: String, _ context: Context, numbering: FeedNumbering) throws {
        publisher = try FeedPublisher(
            loop: loop, context: context, endpoint: endpoint, numbering: numbering, beacon: .milliseconds(100))
    }

    public func publish(_ change: EncodedChange) { publisher?.publish(change) }

    private func receive() {
        try? server?.receive(count: 100, bytes: 1 << 20) { request in
            taken.append(request.address.kind)
            switch turn(request) {
            case .swallow: break
            case .refuse(let code):
                try? server?.refuse(request.address, ReplyHeader(), ServiceError(code, "No.", retryAfter: 1))
            case .answer(let reply, let position):
                try? server?.answer(request.address, ReplyHeader(position: position), reply.encoded)
            }
        }
    }

    /// Waits until this many requests of a kind were received.
    public func waitFor(_ kind: RequestKind, _ count: Int = 1) async throws {
        try await until("\(count) of \(kind) have come, after \(taken)") {
            self.taken.filter { $0 == kind }.count >= count
        }
    }

    /// Also runs if a test throws: the actor's sockets are closed on their loop.
    isolated deinit {
        server?.close()
        publisher?.close()
    }

    public func stop() async {
        server?.close()
        publisher?.close()
        (server, publisher) = (nil, nil)
        await loop.stop()
    }
}
