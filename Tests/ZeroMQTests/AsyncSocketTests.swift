// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TestTurns
import Testing

@testable import ZeroMQ

@Suite("Receiving and sending that wait", .inShortTurn)
struct AsyncSocketTests {
    @Test("A rep answers a req, over each transport", arguments: Transport.allCases)
    func roundTrip(transport: Transport) async throws {
        try await withPair(.rep, .req, transport) { service, client in
            let echo = Task { for try await message in service.messages { try await service.send(message) } }
            for text in ["one", "zwei", ""] {
                try await client.send(text)
                #expect(try await client.receive().map(\.text) == [text])
            }
            await service.close()
            try await echo.value
        }
    }

    @Test("Who receives before anything was sent gets it")
    func waits() async throws {
        try await withPair(.pull, .push) { service, client in
            let first = Task { try await service.receive() }
            try await service.waits(for: .receiving)
            try await client.send([[1], [2]])
            #expect(try await first.value.map(\.bytes) == [[1], [2]])
        }
    }

    @Test("Only one task receives, and one sends")
    func busy() async throws {
        try await withLone(.dealer) { socket in
            let (receiving, sending) = (Task { try await socket.receive() }, Task { try await socket.send("1") })
            try await socket.waits(for: .receiving)
            try await socket.waits(for: .sending)
            await expect(code: .busy) { _ = try await socket.receive() }
            await expect(code: .busy) { try await socket.send("2") }
            await socket.close()
            await expect(code: .closed) { _ = try await receiving.value }
            await expect(code: .closed) { try await sending.value }
            await expect(code: .closed) { _ = try await socket.receive() }
            await expect(code: .closed) { try await socket.connect("inproc://x") }
        }
    }

    @Test("A cancelled task stops waiting, and no message is lost by it")
    func cancel() async throws {
        try await withPair(.pull, .push) { service, client in
            for index in 0..<20 {
                let receiving = Task { try await service.receive() }
                // Also before it waits.
                if index % 2 == 0 { try await service.waits(for: .receiving) }
                receiving.cancel()
                await expect(code: .cancelled) { _ = try await receiving.value }
            }
            try await client.send("kept")
            let (started, start) = AsyncStream.makeStream(of: Void.self)
            let cancelled = Task {
                for await _ in started {}
                return try await service.receive()
            }
            cancelled.cancel()
            start.finish()
            await expect(code: .cancelled) { _ = try await cancelled.value }
            #expect(try await service.receive()[0].text == "kept")
        }
        try await withLone(.push) { socket in
            let sending = Task {
                var message = Message([[1], [2]])
                await expect(code: .cancelled) { try await socket.send(&message) }
                return message.frames
            }
            try await socket.waits(for: .sending)
            sending.cancel()
            #expect(await sending.value == [[1], [2]])
        }
    }

    @Test("A sequence ends when the socket is closed, or the task cancelled", arguments: [true, false])
    func sequenceEnds(byClosing: Bool) async throws {
        try await withPair(.pull, .push) { service, client in
            for text in ["1", "2", "3"] { try await client.send(text) }
            // What one loop leaves the next one finds.
            for try await message in service.messages {
                #expect(message[0].text == "1")
                break
            }
            let rest = Task {
                var texts: [String] = []
                for try await message in service.messages { texts.append(message[0].text) }
                return texts
            }
            // All three are there before it begins, so that it waits only after the last.
            try await service.waits(for: .receiving)
            if byClosing { await service.close() } else { rest.cancel() }
            #expect(try await rest.value == ["2", "3"])
        }
    }

    @Test("After a shutdown who waits gets .terminated, and the socket is closed")
    func shutdown() async throws {
        let context = try Context()
        try await withLoop { loop in
            let socket = try await AsyncSocket(.dealer, context: context, on: loop)
            let receiving = Task { try await socket.receive() }
            let sending = Task { try await socket.send("1") }
            try await socket.waits(for: .receiving)
            try await socket.waits(for: .sending)
            context.shutdown()
            // Whichever hears of it first closes the socket, and the other one hears of that.
            await expect(code: .terminated, .closed) { _ = try await receiving.value }
            await expect(code: .terminated, .closed) { try await sending.value }
            // Returns only if the socket is closed.
            context.terminate()
            await expect(code: .closed) { _ = try await socket.receive() }
        }
    }

    @Test("Who is let go of is closed")
    func letGo() async throws {
        let context = try Context()
        try await withLoop { loop in
            _ = try await AsyncSocket(.router, context: context, on: loop).bind(Transport.tcp.endpoint())
            context.terminate()
        }
    }

    @Test("Works in a task that prefers an executor")
    func preference() async throws {
        try await withTaskExecutorPreference(QueueExecutor()) {
            try await withPair(.rep, .req) { service, client in
                let echo = Task { for try await message in service.messages { try await service.send(message) } }
                for index in 0..<200 {
                    try await client.send("\(index)")
                    #expect(try await client.receive()[0].text == "\(index)")
                }
                await service.close()
                try await echo.value
            }
        }
    }

    /// Two sockets on one loop, the second connected to the first.
    private func withPair(
        _ kind: Socket.Kind, _ otherKind: Socket.Kind, _ transport: Transport = .inproc,
        _ body: @Sendable (AsyncSocket, AsyncSocket) async throws -> Void
    ) async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = try await AsyncSocket(kind, context: context, on: loop)
            let endpoint = try await service.bind(transport.endpoint())
            let client = try await AsyncSocket(otherKind, context: context, on: loop)
            try await client.connect(endpoint)
            try await body(service, client)
        }
        context.terminate()
    }

    /// One socket that has nobody to talk to.
    private func withLone(_ kind: Socket.Kind, _ body: @Sendable (AsyncSocket) async throws -> Void) async throws {
        let context = try Context()
        try await withLoop { loop in try await body(try await AsyncSocket(kind, context: context, on: loop)) }
        context.terminate()
    }
}

extension AsyncSocket {
    /// Returns when a task waits on this side.
    func waits(for side: Side) async throws {
        while !isWaiting(for: side) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}

/// Runs the body and expects an error of ZeroMQ's with this code.
func expect(
    code: ZeroMQError.Code..., sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    let error = await #expect(throws: ZeroMQError.self, sourceLocation: sourceLocation) { try await body() }
    let isExpected = error.map { code.contains($0.code) }
    #expect(isExpected == true, "\(String(describing: error))", sourceLocation: sourceLocation)
}

private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "test")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
