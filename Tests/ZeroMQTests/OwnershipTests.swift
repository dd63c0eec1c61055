// SPDX-License-Identifier: Apache-2.0
import TestTurns
import Testing
import ZeroMQ

@Suite("Whoever lets go of a socket's owner, its loop closes the socket", .inShortTurn)
struct OwnershipTests {
    @Test("an actor without an isolated deinit ends on another thread than its loop's", arguments: [false, true])
    func lastOwnerElsewhere(isStopped: Bool) async throws {
        let context = try Context()
        let loop = try EventLoop(name: "owner")
        var holder: Holder? = Holder(loop)
        let endpoint = try await holder!.open(context)
        // A job of the loop may still hold the actor for a moment; the next one begins when that has ended.
        await loop.turn()
        if isStopped { await loop.stop() }
        #expect(!loop.isCurrent)
        holder = nil
        // Returns only if the socket, its watch and its monitor are closed.
        context.terminate()
        let next = try Context()
        let successor = Holder(loop)
        if !isStopped { #expect(try await successor.open(next, at: endpoint) == endpoint) }
        await loop.stop()
    }
}

extension EventLoop {
    fileprivate func turn() async { await withCheckedContinuation { done in submit { done.resume() } } }
}

private actor Holder {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var socket: Socket?
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?

    init(_ loop: EventLoop) { self.loop = loop }

    func open(_ context: Context, at endpoint: String = "tcp://127.0.0.1:*") throws -> String {
        let socket = try Socket(.router, context: context, options: .service)
        monitor = try SocketMonitor(socket, on: loop) { _, _ in }
        let bound = try socket.bind(endpoint)
        watch = loop.watch(socket, for: self, onReadable: { _ in })
        self.socket = consume socket
        return bound
    }
}
