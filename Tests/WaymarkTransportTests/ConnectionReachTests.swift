// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkTransport

@Suite("The state of a connection, from its monitor's events", .inShortTurn, .timeLimit(.minutes(5)))
struct ConnectionReachTests {
    private static let retried = SocketEvent.connectRetried(interval: .milliseconds(100))

    private static func news(_ events: [SocketEvent], _ reach: inout ConnectionReach) -> [ConnectionReach.News] {
        events.compactMap { reach.noticed($0) }
    }

    @Test("an attempt that does not reach the peer is a refusal")
    func refused() {
        var reach = ConnectionReach()
        #expect(Self.news([.connectDelayed, .closed, Self.retried], &reach) == [.refused])
        #expect(reach.failure == .unreachable && !reach.hasBeenConnected)
        // The next attempt succeeds, and then the peer goes.
        #expect(Self.news([.connected, .handshakeSucceeded], &reach) == [.came])
        #expect(reach.isConnected && reach.failure == nil)
        #expect(Self.news([.disconnected(descriptor: 5), Self.retried], &reach) == [.went])
        #expect(Self.news([.closed, Self.retried], &reach) == [.refused])
        #expect(reach.hasBeenConnected && !reach.isConnected)
    }

    @Test("a handshake that was broken off is no refusal; one with a peer that does not speak ZeroMQ is")
    func handshakes() {
        var reach = ConnectionReach()
        let cut = SocketEvent.handshakeFailed(.noDetail(errno: 32))
        #expect(Self.news([.connected, cut, .disconnected(descriptor: 5), Self.retried], &reach).isEmpty)
        #expect(reach.failure == .handshake)
        #expect(Self.news([.connected, .handshakeFailed(.protocol(code: 0x1000_0000))], &reach) == [.refused])
        #expect(reach.failure == .foreign)
    }
}
