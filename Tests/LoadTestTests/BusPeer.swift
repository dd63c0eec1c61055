// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestTurns
import Testing
import ZeroMQ

@testable import LoadTest

/// Runs sockets on a thread of their own while `body` runs.
///
/// - Parameters:
///   - kinds: the kinds of the sockets, each bound to one of the places.
///   - handle: called with each message and the index of the socket that received it. Returns the index of the socket
///     that sends the message, which `handle` may have changed; nil for none.
///   - body: called with the endpoints.
func withPeer(
    _ kinds: [Socket.Kind], at place: String = "tcp://127.0.0.1:*", _ options: SocketOptions = SocketOptions(),
    in context: Context? = nil, handle: @escaping @Sendable (inout Message, Int) -> Int?,
    _ body: ([String]) async throws -> Void
) async throws {
    let peer = try BusPeer(context ?? Context())
    async let serving: Void = LoadThread.run { try peer.serve(kinds, place, options, handle) }
    do {
        try await until { peer.endpoints.withLock { $0.count == kinds.count } }
        try await body(peer.endpoints.withLock { $0 })
    } catch {
        peer.isOver.store(true, ordering: .relaxed)
        throw error
    }
    peer.isOver.store(true, ordering: .relaxed)
    try await serving
}

private final class BusPeer: Sendable {
    let endpoints = Mutex<[String]>([])
    let isOver = Atomic(false)
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    /// A socket that an array can hold.
    private final class Holder {
        let socket: Socket

        init(_ socket: consuming Socket) {
            self.socket = socket
        }
    }

    func serve(
        _ kinds: [Socket.Kind], _ place: String, _ options: SocketOptions,
        _ handle: @Sendable (inout Message, Int) -> Int?
    ) throws {
        var poller = Poller()
        var holders: [Holder] = []
        for kind in kinds {
            let holder = Holder(try Socket(kind, context: context, options: options))
            let bound = try holder.socket.bind(place)
            poller.add(holder.socket)
            holders.append(holder)
            endpoints.withLock { $0.append(bound) }
        }
        var message = Message()
        while !isOver.load(ordering: .relaxed) {
            _ = try poller.wait(.milliseconds(10))
            for (number, holder) in holders.enumerated() where holder.socket.kind != .push {
                while try holder.socket.receive(into: &message) {
                    if let answering = handle(&message, number) { _ = try holders[answering].socket.send(&message) }
                }
            }
        }
    }
}
