// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServices
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Where nobody listens", .inTurn)
struct DeadEndpointTests {
    /// Far longer than a test may take, so that a client which waits for it makes the test fail.
    private static let never = Duration.seconds(110)

    private static func ask(
        _ endpoint: String, _ whenRefused: WhenRefused, timeout: Duration = never, _ context: Context
    ) async throws -> ClientError? {
        var options = ClientOptions(endpoint: endpoint, timeout: timeout)
        options.whenRefused = whenRefused
        let client = try await WaymarkClient(options, context: context)
        var error: ClientError?
        let begun = ContinuousClock.now
        do throws(ClientError) { _ = try await client.sources() } catch let thrown { error = thrown }
        if whenRefused == .giveUp { #expect(begun.duration(to: .now) < never / 2) }
        await client.close()
        return error
    }

    /// Waits until the previous listener is gone: libzmq closes it a moment after its socket, and a client that comes
    /// in between would be connected.
    private static func untilGone(_ endpoint: String, _ context: Context) async throws {
        for _ in 0..<30 {
            if case .cannotConnect? = try await ask(endpoint, .giveUp, timeout: .seconds(2), context) { return }
        }
        Issue.record("somebody listens at \(endpoint)")
    }

    @Test("a client that asks once fails at once, with the endpoint and what to do")
    func givesUp() async throws {
        let (context, folder) = (try Context(), try EndpointFolder())
        // A port with a listener until a moment ago.
        let listener = StubService { _ in .swallow }
        let port = try await listener.start(at: "tcp://127.0.0.1:*", context)
        await listener.stop()
        try await Self.untilGone(port, context)
        for endpoint in [port, folder.endpoint] {
            guard case .cannotConnect? = try await Self.ask(endpoint, .giveUp, context) else {
                Issue.record("cannot connect to \(endpoint)")
                continue
            }
            let text = "\(ClientError.cannotConnect(endpoint: endpoint, reason: nil))"
            #expect(text.contains(endpoint) && text.contains("waymark up"))
        }
        context.terminate()
    }

    @Test("a client that keeps running waits for a service that is starting")
    func waits() async throws {
        let (context, folder) = (try Context(), try EndpointFolder())
        let endpoint = folder.endpoint
        let asked = Task { try await Self.ask(endpoint, .tryAgain, context) }
        let late = Task { try await Self.ask(endpoint, .tryAgain, timeout: .milliseconds(1), context) }
        guard case .cannotConnect? = try await late.value else {
            Issue.record("nobody listened yet")
            return
        }
        let service = StubService { _ in .answer(.with { $0.sources = WireSourceList() }) }
        _ = try await service.start(at: endpoint, context)
        #expect(try await asked.value == nil)
        await service.stop()
        context.terminate()
    }

    @Test("a client that was connected before waits too: the service may be restarting")
    func wasConnected() async throws {
        let (context, folder) = (try Context(), try EndpointFolder())
        let first = StubService { _ in .answer(.with { $0.sources = WireSourceList() }) }
        _ = try await first.start(at: folder.endpoint, context)
        var options = ClientOptions(endpoint: folder.endpoint, timeout: Self.never)
        options.whenRefused = .giveUp
        let client = try await WaymarkClient(options, context: context)
        _ = try await client.sources()
        await first.stop()
        let asked = Task { try await client.sources().count }
        // Long enough for failed attempts and short enough to be no load; the request is answered as soon as a
        // service listens.
        try await Self.untilGone(folder.endpoint, context)
        let second = StubService { _ in .answer(.with { $0.sources = WireSourceList() }) }
        _ = try await second.start(at: folder.endpoint, context)
        #expect(try await asked.value == 0)
        await client.close()
        await second.stop()
        context.terminate()
    }
}
