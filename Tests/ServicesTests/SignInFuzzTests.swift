// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@Suite("Broken messages where people sign in", .inTurn)
struct SignInFuzzTests {
    @Test("of 40,000 none gets in, none disturbs who knows the password, and little is written down")
    func messages() async throws {
        try await withSecuredPair(strangersRate: 1_000_000) { pair in
            let (annKeys, ann) = try await pair.account("ann", .user)
            _ = try await pair.account("bob", .user)
            let machine = try await pair.machine()
            let before = try await machine.keys(of: "ann").count
            let stranger = try CurveKeyPair.generate()
            let begun = ContinuousClock.now
            let service = ClientKeys(own: pair.serviceKeys, server: pair.storageKeys.publicKey)
            for (endpoint, security, count, seed) in [
                // Any key may come here.
                (
                    pair.signIn, SocketSecurity.curveClient(serverKey: pair.serviceKeys.publicKey, keys: stranger),
                    18_000, 1
                ),
                (pair.serverKeyEndpoint, nil, 8_000, 2),
                // With a key of an account one gets as far as every other request.
                (
                    pair.endpoint, .curveClient(serverKey: pair.serviceKeys.publicKey, keys: annKeys), 8_000, 3
                ),
                // What a query service that was broken into could send.
                (pair.storageEndpoint, .curveClient(serverKey: service.server, keys: service.own), 6_000, 4),
            ] as [(String, SocketSecurity?, Int, UInt64)] {
                try await Self.flood(pair, endpoint, security, count, seed: seed)
            }
            for number in 0..<300 {
                var random = SplitMix64(seed: UInt64(number))
                try RawTCP.send(Self.greeting(&random), to: pair.signIn)
            }
            #expect(try await ann.whoAmI().name == "ann")
            #expect(try await machine.keys(of: "ann").count == before)
            #expect(try await machine.accounts().map(\.name).sorted() == ["ann", "bob", "query"])
            // The stranger's key belongs to nobody.
            let asked = await refusal { _ = try await pair.client(stranger).whoAmI() }
            #expect(asked == "key refused")
            // Each minute ten failures are written down, and for each of four callers ten refusals by the accounts' service
            // and ten by the engine. Some records are older. A busy machine takes minutes.
            let minutes = Int((ContinuousClock.now - begun) / .seconds(60))
            #expect(try await machine.audit(limit: 1_000).count < 110 + 90 * minutes)
            // Guesses from here have used up what this address may try; it waits a little, and is let in. (Who was guessed
            // at from the same address waits up to a minute.)
            let fresh = try CurveKeyPair.generate()
            let newcomer = try await pair.client(fresh, at: pair.signIn, server: pair.serviceKeys.publicKey)
            #expect(try await newcomer.signIn("bob", password: SecuredPair.password("bob")).name == "bob")
        }
    }

    private static func flood(
        _ pair: SecuredPair, _ endpoint: String, _ security: SocketSecurity?, _ count: Int, seed: UInt64
    ) async throws {
        let peer = RawPeer()
        try await peer.open(endpoint, context: pair.contexts[2], security: security)
        var random = SplitMix64(seed: seed)
        for number in 1...count {
            try await peer.send(try message(UInt64(number), &random))
            // Beside the messages the answers would fill the queue.
            if number % 500 == 0 { _ = await peer.takeAll() }
        }
        await peer.close()
    }

    /// Broken in its frames, in its protobuf, or only in what it says; under the largest frame that is taken.
    private static func message(_ sequence: UInt64, _ random: inout SplitMix64) throws -> [[UInt8]] {
        let header = WireRequestHeader.with {
            $0.client = UUIDv7(high: 7, low: random.next()).wire
            $0.sequence = sequence
            $0.timeoutMs = 200
            $0.account = random.next() % 4
            $0.origin = random.next() % 2 == 0 ? "10.0.0.1" : String(repeating: "9", count: Int(random.next() % 300))
        }
        func text(_ random: inout SplitMix64) -> String {
            ["ann", "ANN", "", "query", "a\u{301}\0", String(repeating: "n", count: 1_000)][Int(random.next() % 6)]
        }
        func bytes(_ random: inout SplitMix64) -> [UInt8] {
            (0..<[0, 7, 8, 32, 33, 256, 257, 900][Int(random.next() % 8)]).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
        }
        let request = WireRequest.with {
            $0.signIn = .with {
                $0.name = text(&random)
                $0.password = Data(bytes(&random))
                if random.next() % 3 == 0 { $0.code = random.next() % 2 == 0 ? InvitationCode.make() : text(&random) }
                $0.label = text(&random)
                $0.key = Data(bytes(&random))
                $0.kind = WireKeyKind(rawValue: Int(random.next() % 5)) ?? .curve
            }
        }
        var frames = [
            Signature(.request).bytes, try header.serializedBytes() as [UInt8],
            try request.serializedBytes() as [UInt8],
        ]
        try random.damage(&frames[1]) { _ in try header.serializedBytes() }
        try random.damage(&frames[2]) { _ in try request.serializedBytes() }
        switch random.next() % 10 {
        case 0: frames.remove(at: Int(random.next() % 3))
        case 1: frames.append(frames[1])
        case 2: frames.swapAt(1, 2)
        case 3: frames[0] = Array(frames[0].shuffled(using: &random))
        default: break
        }
        return frames.map { Array($0.prefix(4_000)) }
    }

    /// The beginning of ZMTP 3 with CURVE, and then anything.
    private static func greeting(_ random: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 0]
        bytes += Array("CURVE".utf8) + [UInt8](repeating: 0, count: 15) + [UInt8](repeating: 0, count: 32)
        bytes += [4, 200] + Array("\u{5}HELLO".utf8) + (0..<194).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        random.damage(&bytes) { _ in [4, 255] }
        return bytes
    }
}
