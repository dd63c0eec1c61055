// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestTurns
import Testing
import ZeroMQ

@Suite(.inShortTurn)
struct EventLoopTests {
    @Test("An actor's methods and its socket's handler run on the loop's thread")
    func thread() async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = Peer(loop)
            try await service.open(.router, context, .service, handler: Peer.echo)
            let endpoint = try await service.bind(Transport.inproc.endpoint())
            let client = Peer(loop)
            try await client.open(.dealer, context)
            try await client.connect(endpoint)
            try await client.send([[1]])
            #expect(try await client.next() == [[1]])
            let thread = await service.thread()
            #expect(await client.thread() == thread)
            #expect(await service.handlerThreads == [thread])
            #expect(currentThread() != thread)
            #expect(!loop.isCurrent)
            #expect(await service.isOnLoop())
        }
    }

    @Test("A handler that takes one message is called again while there are more")
    func levelTriggered() async throws {
        let context = try Context()
        try await withLoop { loop in
            let sink = OneByOne(loop)
            let endpoint = Transport.inproc.endpoint()
            try await sink.open(context, endpoint)
            let source = Peer(loop)
            try await source.open(.push, context)
            try await source.connect(endpoint)
            for index in 0..<50 as Range<UInt8> { try await source.send([[index]]) }
            #expect(await sink.all(50) == (0..<50).map { [$0] })
        }
    }

    /// Using a socket clears its descriptor, so that waiting for the descriptor alone would miss the second message.
    @Test("The handler gets the messages that a use of the socket outside of it has left")
    func usedOutside() async throws {
        let context = try Context()
        try await withLoop { loop in
            let sink = OneByOne(loop)
            let endpoint = Transport.inproc.endpoint()
            try await sink.open(context, endpoint)
            let source = Peer(loop)
            try await source.open(.push, context)
            try await source.connect(endpoint)
            for round in 0..<3 {
                // A turn ends, after which the sink was not used.
                #expect(await sink.all(0).count == round * 2)
                try await sink.takeOne {
                    try source.assumeIsolated { for index in 1...2 as ClosedRange<UInt8> { try $0.send([[index]]) } }
                }
                #expect(await sink.all(round * 2 + 2).suffix(2) == [[1], [2]])
            }
        }
    }

    @Test("Stopping runs what is queued, and may be done twice")
    func stopRunsJobs() async throws {
        let loop = try EventLoop(name: "a name that is too long for a thread")
        let ran = Atomic<Int>(0)
        for _ in 0..<10_000 { loop.submit { ran.add(1, ordering: .relaxed) } }
        await loop.stop()
        #expect(ran.load(ordering: .relaxed) == 10_000)
        await loop.stop()
    }

    @Test("An actor of the loop may stop it, and goes on")
    func stopFromInside() async throws {
        let counter = Counter(try EventLoop(name: "inside"))
        await counter.stopLoop()
        #expect(await counter.value == 1)
    }

    @Test("Jobs of a stopped loop still run, one after the other")
    func lateJobs() async throws {
        let loop = try EventLoop(name: "late")
        let counter = Counter(loop)
        await counter.increment()
        await loop.stop()
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    for _ in 0..<10 { await counter.increment() }
                }
            }
        }
        #expect(await counter.value == 2001)
    }

    @Test("A loop is stopped while others go on adding jobs, and none is lost")
    func stopUnderLoad() async throws {
        for _ in 0..<20 {
            let loop = try EventLoop(name: "load")
            let counter = Counter(loop)
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<200 { await counter.increment() }
                    }
                }
                group.addTask { await loop.stop() }
                group.addTask { await loop.stop() }
            }
            #expect(await counter.value == 800)
        }
    }

    @Test("A handler is not called after its watch was cancelled, or its socket closed by another handler")
    func cancelInHandler() async throws {
        let context = try Context()
        try await withLoop { loop in
            let endpoints = [Transport.inproc.endpoint(), Transport.inproc.endpoint()]
            let rivals = Rivals(loop)
            try await rivals.open(context, endpoints)
            #expect(await rivals.winners() == 1)
        }
    }

    @Test("An isolated deinit closes the socket on the loop's thread")
    func isolatedDeinit() async throws {
        let context = try Context()
        let loop = try EventLoop(name: "deinit")
        let (threads, continuation) = AsyncStream.makeStream(of: Int32.self)
        let thread: Int32
        do {
            let peer = Peer(loop) { continuation.yield($0) }
            try await peer.open(.router, context, .service)
            _ = try await peer.bind(Transport.tcp.endpoint())
            thread = await peer.thread()
        }
        #expect(await threads.first { _ in true } == thread)
        // Returns only if no socket is left open.
        context.terminate()
        await loop.stop()
    }

    @Test("Watches and timers that are made after the stop are inert")
    func inertAfterStop() async throws {
        let context = try Context()
        let loop = try EventLoop(name: "inert")
        let peer = Peer(loop)
        await loop.stop()
        try await peer.open(.router, context, .service)
        #expect(await peer.isTimerOver())
        await peer.closeSocket()
    }

    @Test("After a shutdown the handler meets .terminated, once, and the loop lives on")
    func shutdown() async throws {
        let context = try Context()
        let other = try Context()
        try await withLoop { loop in
            let service = Peer(loop)
            try await service.open(.router, other, .service, handler: Peer.echo)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            let ended = Peer(loop)
            try await ended.open(.router, context, .service)
            let next = Task { try await ended.next() }
            context.shutdown()
            await expect(code: .terminated) { _ = try await next.value }
            #expect(await ended.failure?.code == .terminated)
            let client = Peer(loop)
            try await client.open(.dealer, other)
            try await client.connect(endpoint)
            try await client.send([[4]])
            #expect(try await client.next() == [[4]])
            await ended.closeSocket()
            context.terminate()
            await expect(code: .terminated) { _ = try Socket(.pub, context: context).kind }
        }
    }
}

extension Peer {
    func isOnLoop() -> Bool { loop.isCurrent }
    func isTimerOver() -> Bool { loop.schedule(after: .zero) {}.isOver }
}

/// Counts without a lock: right only if one job runs at a time.
private actor Counter {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private(set) var value = 0

    init(_ loop: EventLoop) { self.loop = loop }

    func increment() { value += 1 }

    func stopLoop() async {
        await loop.stop()
        increment()
    }
}
