// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("A flood where people sign in", .inTurn)
struct SignInFloodTests {
    @Test("most of it has no answer, and somebody at another address signs in beside it")
    func flood() async throws {
        try await withSecuredPair { pair in
            _ = try await pair.account("ann", .user)
            let peer = RawPeer()
            try await peer.open(
                pair.signIn, context: pair.contexts[2],
                security: .curveClient(serverKey: pair.serviceKeys.publicKey, keys: try .generate()))
            let begun = ContinuousClock.now
            let fresh = try CurveKeyPair.generate()
            let elsewhere = pair.signIn.replacing("//", with: "//127.0.7.7:0;")
            let newcomer = try await pair.client(fresh, at: elsewhere, server: pair.serviceKeys.publicKey)
            for number in 1...3_000 { try await peer.send(try Self.guess(UInt64(number))) }
            #expect(try await newcomer.signIn("ann", password: SecuredPair.password("ann")).name == "ann")
            try await until { await peer.waiting > 0 }
            let answered = await peer.waiting
            let seconds = (ContinuousClock.now - begun) / .seconds(1)
            #expect(answered > 0)
            #expect(Double(answered) < 70 + 11 * seconds)
            await peer.close()
        }
    }

    /// Five wrong passwords are free; the next one would have to wait.
    @Test("a copy that comes after its answer gets the same one, and is not another guess")
    func copies() async throws {
        try await withSecuredPair { pair in
            let peer = RawPeer()
            try await peer.open(
                pair.signIn, context: pair.contexts[2],
                security: .curveClient(serverKey: pair.serviceKeys.publicKey, keys: try .generate()))
            for _ in 1...7 {
                try await peer.send(try Self.guess(1))
                let reply = try WireReply(serializedBytes: try #require(try await peer.receive().last))
                #expect(reply.failure.code == ErrorCode.wrongPassword.rawValue)
            }
            await peer.close()
        }
    }

    private static func guess(_ number: UInt64) throws -> [[UInt8]] {
        let header = WireRequestHeader.with {
            ($0.client, $0.sequence, $0.timeoutMs) = (UUIDv7(high: 7, low: 8).wire, number, 20_000)
        }
        // The name of nobody, so that only the address counts.
        let request = WireRequest.with {
            $0.signIn = .with { ($0.name, $0.password) = ("nobody \(number)", Data("guess \(number)".utf8)) }
        }
        return [Signature(.request).bytes, try header.serializedBytes(), try request.serializedBytes()]
    }
}
