// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import Logging
import QueryService
import TestServices
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// After a write was sent without an answer, no later event may report that nothing was done: a person who believes
/// that would repeat the write under another number.
@Suite("A write that may have been done", .inTurn)
struct UncertainWriteTests {
    private static func add(_ client: WaymarkClient) async -> ClientError? {
        do throws(ClientError) {
            guard let place = try? Coordinate(latitude: 1, longitude: 2),
                let draft = try? LandmarkDraft(name: "x", coordinate: place)
            else { return nil }
            _ = try await client.add(draft)
            return nil
        } catch {
            return error
        }
    }

    private static func remove(_ client: WaymarkClient) async -> ClientError? {
        do throws(ClientError) { _ = try await client.remove(UUIDv7(high: 7, low: 7)) } catch { return error }
        return nil
    }

    private static func last(_ error: ClientError?) -> ClientError? {
        guard case .mayBeDone(_, let after)? = error else {
            Issue.record("\(String(describing: error))")
            return nil
        }
        return after
    }

    /// A client whose first copy is swallowed by a service that then ends.
    private func afterOneCopy(
        timeout: Duration, _ body: (WaymarkClient, StubService, EndpointFolder, Context) async throws -> Void
    ) async throws {
        let (context, folder) = (try Context(), try EndpointFolder())
        let service = StubService { _ in .swallow }
        let endpoint = try await service.start(at: folder.endpoint, context)
        let client = try await WaymarkClient(.init(endpoint: endpoint, user: "ann", timeout: timeout), context: context)
        do {
            try await body(client, service, folder, context)
        } catch {
            await client.close()
            await service.stop()
            throw error
        }
        await client.close()
        await service.stop()
        context.terminate()
    }

    @Test("the service refuses a later copy, and is gone before the next one")
    func goneAfterwards() async throws {
        try await afterOneCopy(timeout: .seconds(20)) { client, first, folder, context in
            async let ended = Self.add(client)
            try await first.waitFor(.add)
            await first.stop()
            let second = StubService { _ in .refuse(.busy) }
            _ = try await second.start(at: folder.endpoint, context)
            try await second.waitFor(.add)
            await second.stop()
            // Timing decides which error comes last. In each case the write may have been done.
            switch Self.last(await ended) {
            case .cannotConnect?, .refused?, .timedOut?, nil: break
            case let other?: Issue.record("\(other)")
            }
        }
    }

    @Test("the service has been replaced by another release, and refuses even the greeting")
    func anotherRelease() async throws {
        try await afterOneCopy(timeout: .seconds(60)) { client, first, folder, context in
            async let ended = Self.add(client)
            try await first.waitFor(.add)
            await first.stop()
            let second = StubService { _ in .refuse(.protocolVersion) }
            _ = try await second.start(at: folder.endpoint, context)
            guard case .refused(let refusal)? = Self.last(await ended) else {
                Issue.record("what was told is the refusal")
                return await second.stop()
            }
            #expect(refusal.code == .protocolVersion)
            // A busy machine may send the first one again.
            let taken = await second.taken
            #expect(taken.first == .add && Set(taken) == [.add, .hello])
            await second.stop()
        }
    }

    @Test("a refusal based on stored data settles it: every copy would have got that answer")
    func verdict() async throws {
        try await afterOneCopy(timeout: .seconds(60)) { client, first, folder, context in
            async let ended = Self.add(client)
            try await first.waitFor(.add)
            await first.stop()
            let second = StubService { _ in .refuse(.invalid) }
            _ = try await second.start(at: folder.endpoint, context)
            guard case .refused(let refusal)? = await ended else {
                Issue.record("a refusal")
                return await second.stop()
            }
            #expect(refusal.code == .invalid)
            await second.stop()
        }
    }

    @Test("a query service in between does not report that nothing was done if it sent another copy before")
    func passedOn() async throws {
        let (context, folder) = (try Context(), try EndpointFolder())
        let first = StubService { $0 == .add ? .swallow : .refuse(.unavailable) }
        let storage = try await first.start(at: folder.endpoint, context)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let query = try QueryServer(
            QueryOptions(listen: "ipc://\(folder.path)/q", storage: storage), context: context, logger: logger)
        let client = try await WaymarkClient(
            .init(endpoint: try await query.start(), user: "ann", timeout: .seconds(20)), context: context)
        async let ended = Self.add(client)
        try await first.waitFor(.add)
        await first.stop()
        let second = StubService { _ in .refuse(.busy) }
        _ = try await second.start(at: folder.endpoint, context)
        _ = Self.last(await ended)
        await client.close()
        await query.stop()
        await second.stop()
        context.terminate()
    }

    @Test("cancelled tasks and closed clients leave writes open; a read is simply cancelled")
    func ended() async throws {
        try await afterOneCopy(timeout: .seconds(60)) { client, service, _, _ in
            let read = Task { () -> ClientError? in
                do throws(ClientError) { _ = try await client.sources() } catch { return error }
                return nil
            }
            try await service.waitFor(.sources)
            read.cancel()
            guard case .cancelled? = await read.value else {
                Issue.record("a read that is cancelled was cancelled, and nothing else")
                return
            }
            let write = Task { await Self.add(client) }
            try await service.waitFor(.add)
            write.cancel()
            if case .cancelled? = Self.last(await write.value) {} else { Issue.record("cancelled") }
            // Of another kind, because a copy of the first one may have come.
            async let other = Self.remove(client)
            try await service.waitFor(.remove)
            await client.close()
            if case .closed? = Self.last(await other) {} else { Issue.record("closed") }
        }
    }

    @Test("whoever ends his own key believes the refusal of a later copy; other writes about accounts may be done")
    func ownKey() async throws {
        let (context, ours, theirs) = (try Context(), try CurveKeyPair.generate(), try CurveKeyPair.generate())
        let handler = try await ZAPHandler(context: context) { _ in .admit(userID: ours.publicKey.z85) }
        let swallows = Locked(true)
        let service = StubService { _ in
            swallows.withLock { swallows in
                defer { swallows = false }
                return swallows ? .swallow : .refuse(.keyEnded)
            }
        }
        let endpoint = try await service.start(
            at: "tcp://127.0.0.1:*", context, security: .curveServer(secretKey: theirs.secretKey, domain: "d"))
        let client = try await WaymarkClient(
            .init(
                endpoint: endpoint, timeout: .seconds(60), keys: ClientKeys(own: ours, server: theirs.publicKey)),
            context: context)
        try await client.endKey(ours.publicKey)
        swallows.withLock { $0 = true }
        do throws(ClientError) {
            try await client.endKey(theirs.publicKey)
            Issue.record("it was refused")
        } catch {
            if case .refused? = Self.last(error) {} else { Issue.record("\(error)") }
        }
        swallows.withLock { $0 = true }
        do throws(ClientError) {
            _ = try await client.createAccount("bob", .user)
            Issue.record("it was refused")
        } catch {
            if case .refused? = Self.last(error) {} else { Issue.record("\(error)") }
        }
        await client.close()
        await service.stop()
        await handler.stop()
        context.terminate()
    }

    @Test("before a request is sent, the error says that nothing was done")
    func neverSent() async throws {
        let (context, folder) = (try Context(), try EndpointFolder())
        let client = try await WaymarkClient(
            .init(endpoint: folder.endpoint, user: "ann", timeout: .milliseconds(200)), context: context)
        if case .cannotConnect? = await Self.add(client) {} else { Issue.record("nobody listens") }
        let write = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Self.add(client)
        }
        if case .cancelled? = await write.value {} else { Issue.record("cancelled before it was sent") }
        await client.close()
        if case .closed? = await Self.add(client) {} else { Issue.record("closed before it was sent") }
        context.terminate()
    }
}
