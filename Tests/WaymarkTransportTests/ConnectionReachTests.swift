// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkTransport

@Suite("The state of a connection, from its monitor's events", .inShortTurn)
struct ConnectionReachTests {
    private static let retried = SocketEvent.connectRetried(interval: .milliseconds(100))

    private static func news(_ events: [SocketEvent], _ reach: inout ConnectionReach) -> [ConnectionReach.News] {
        events.compactMap { reach.noticed($0) }
    }

    @Test("an attempt that does not reach the peer is a refusal")
    func refused() {
        var reach = ConnectionReach("tcp://127.0.0.1:7420")
        #expect(Self.news([.connectDelayed, .closed, Self.retried], &reach) == [.refused])
        #expect(reach.failure == .unreachable && !reach.hasBeenConnected)
        // The next attempt succeeds, and then the peer goes.
        #expect(Self.news([.connected, .handshakeSucceeded], &reach) == [.came])
        #expect(reach.isConnected && reach.failure == nil)
        #expect(Self.news([.disconnected(descriptor: 5), Self.retried], &reach) == [.went])
        #expect(Self.news([.closed, Self.retried], &reach) == [.refused])
        #expect(reach.hasBeenConnected && !reach.isConnected)
    }

    @Test("how far an attempt came says why it failed: no address, no route, or nobody there")
    func causes() {
        for (events, isLocal, failure) in [
            ([], false, ConnectionFailure.unknownHost), ([.closed], false, .noRoute),
            ([.connectDelayed, .closed], false, .unreachable), ([.closed], true, .unreachable),
        ] as [([SocketEvent], Bool, ConnectionFailure)] {
            var reach = ConnectionReach(isLocal ? "ipc:///run/waymark" : "tcp://127.0.0.1:7420")
            // After a connection that ended, too: its own events say nothing about the next attempt.
            let before: [SocketEvent] = [
                .connectDelayed, .connected, .handshakeSucceeded, .disconnected(descriptor: 5), Self.retried,
            ]
            #expect(Self.news(before, &reach) == [.came, .went])
            #expect(Self.news(events + [Self.retried], &reach) == [.refused])
            #expect(reach.failure == failure)
        }
    }

    @Test("a socket's file that is not there is named, and other endpoints have none")
    func files() {
        #expect(ConnectionFailure(ofSocketAt: "ipc:///nonexistent/folder/socket") == .noSocket)
        #expect(ConnectionFailure(ofSocketAt: "tcp://127.0.0.1:1") == nil)
        #expect(ConnectionFailure(ofSocketAt: "ipc:///dev/null") == nil)
    }

    @Test("a handshake that was broken off is no refusal; one with a peer that does not speak ZeroMQ is")
    func handshakes() {
        var reach = ConnectionReach("tcp://127.0.0.1:7420")
        let cut = SocketEvent.handshakeFailed(.noDetail(errno: 32))
        #expect(Self.news([.connected, cut, .disconnected(descriptor: 5), Self.retried], &reach).isEmpty)
        #expect(reach.failure == .handshake && reach.wantsGreeting)
        // A server without accounts broke it off for another reason.
        #expect(reach.greeted(with: "NULL") == nil && reach.failure == .handshake)
        #expect(reach.greeted(with: "CURVE") == .refused && reach.failure == .keysNeeded)
        #expect(Self.news([.connected, .handshakeFailed(.protocol(code: 0x1000_0000))], &reach) == [.refused])
        #expect(reach.failure == .foreign)
    }

    @Test("a server that breaks off twice at once has another key; one that thinks for long first has not")
    func breaks() {
        let cut = SocketEvent.handshakeFailed(.noDetail(errno: 32))
        let pauses: [(UInt64, ConnectionFailure)] = [(20, .otherKey), (2_000, .handshake)]
        for (thinks, failure) in pauses {
            var reach = ConnectionReach("tcp://127.0.0.1:7420", isSecured: true)
            for now in [10_000, 20_000, 30_000] as [UInt64] where reach.failure != .otherKey {
                _ = reach.noticed(.connected, at: now)
                _ = reach.noticed(cut, at: now + thinks)
                _ = reach.noticed(Self.retried, at: now + thinks)
            }
            #expect(reach.failure == failure)
        }
    }
}
