// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@testable import LoadTest

@Suite("Whether somebody is at the other end of a bus", .inShortTurn)
struct BusReachTests {
    private func reach(_ events: SocketEvent...) -> BusReach {
        var reach = BusReach()
        for event in events { reach.noticed(event) }
        return reach
    }

    private static let retried = SocketEvent.connectRetried(interval: .milliseconds(100))

    @Test("met, also after an attempt that failed")
    func met() {
        #expect(reach(.connectDelayed, .connected, .handshakeSucceeded).isMet)
        let late = reach(.connectDelayed, .closed, Self.retried, .connected, .handshakeSucceeded)
        #expect(late.isMet && late.isSettled)
    }

    @Test("nobody, or somebody who says nothing: both may change")
    func waiting() {
        let nobody = reach(.connectDelayed, .closed, Self.retried, .connectDelayed, .closed, Self.retried)
        #expect(nobody.reason == .nobody && !nobody.isSettled)
        #expect(reach(.connected).reason == .silent && !reach(.connected).isSettled)
        let broken = reach(
            .connected, .handshakeFailed(.noDetail(errno: 32)), .disconnected(descriptor: 9), Self.retried, .connected)
        #expect(broken.reason == .brokeOff && !broken.isSettled)
    }

    @Test("refusals that another attempt would meet too")
    func refused() {
        let auth = reach(.connected, .handshakeFailed(.auth(status: 400)))
        #expect(auth.reason == .refused && auth.isFinal && !auth.isMet)
        #expect(!reach(.connected, .handshakeFailed(.auth(status: 300))).isFinal)
        let code = SocketEvent.HandshakeFailure.otherMechanism
        let mechanism = reach(.connected, .handshakeFailed(.protocol(code: code)))
        #expect(mechanism.reason == .otherSecurity && mechanism.isFinal)
        let metadata = reach(.connected, .handshakeFailed(.protocol(code: SocketEvent.HandshakeFailure.badMetadata)))
        #expect(metadata.reason == .otherKind && metadata.isFinal)
        let silent = reach(.connected, .disconnected(descriptor: 9))
        #expect(silent.reason == .otherKind && silent.isFinal)
        #expect(reach(.connected, .handshakeFailed(.protocol(code: 0x1000_0001))).reason == .foreign)
    }
}
