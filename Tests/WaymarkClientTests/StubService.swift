// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// A service that treats each request as the test says.
actor StubService {
    enum Turn: Sendable {
        /// The request is received and never answered.
        case swallow
        case refuse(ErrorCode)
        case answer(WireReply)
    }

    private let loop = EventLoop.forTest("stub")
    private var server: RequestServer?
    private let turn: @Sendable (RequestKind) -> Turn
    /// The received requests, in order.
    private(set) var taken: [RequestKind] = []
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ turn: @escaping @Sendable (RequestKind) -> Turn) { self.turn = turn }

    func start(at endpoint: String, _ context: Context, security: SocketSecurity? = nil) throws -> String {
        let server = try RequestServer(
            loop: loop, context: context, endpoint: endpoint, rule: ConnectionRule(security: security))
        server.start(on: loop) { [weak self] in self?.assumeIsolated { $0.take() } }
        self.server = server
        return server.endpoint
    }

    private func take() {
        try? server?.receive(count: 100, bytes: 1 << 20) { request in
            taken.append(request.address.kind)
            switch turn(request.address.kind) {
            case .swallow: break
            case .refuse(let code):
                try? server?.refuse(request.address, ReplyHeader(), ServiceError(code, "No.", retryAfter: 1))
            case .answer(let reply): try? server?.answer(request.address, ReplyHeader(), reply.encoded)
            }
        }
    }

    /// Waits until this many requests of a kind were received.
    func waitFor(_ kind: RequestKind, _ count: Int = 1) async throws {
        try await until("\(count) of \(kind) have come, after \(taken)") {
            self.taken.filter { $0 == kind }.count >= count
        }
    }

    /// Also runs if a test throws: the actor's sockets are closed on their loop.
    isolated deinit {
        server?.close()
    }

    func stop() async {
        server?.close()
        server = nil
        await loop.stop()
    }
}

/// A folder for local endpoints, deleted with its last reference.
final class EndpointFolder: Sendable {
    let path: String
    var endpoint: String { "ipc://\(path)/s" }

    init() throws {
        var template = Array("/tmp/wm-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
