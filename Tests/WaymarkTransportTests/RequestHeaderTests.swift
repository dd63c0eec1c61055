// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkTransport

@Suite("Headers, read and written by hand", .computing)
struct RequestHeaderTests {
    private func sample(_ random: inout SplitMix64) -> WireRequestHeader {
        func maybe() -> Bool { random.next() & 1 == 0 }
        func number() -> UInt64 { random.next() >> (random.next() % 64) }
        return .with {
            $0.client = UUIDv7(high: random.next(), low: random.next()).wire
            $0.sequence = max(1, number())
            if maybe() { $0.sentMs = number() }
            if maybe() { $0.timeoutMs = UInt32(truncatingIfNeeded: number()) }
            if maybe() { $0.user = ["ana", "Žofie", "小林"][Int(random.next() % 3)] }
            if maybe() {
                $0.atLeast = .with {
                    $0.epoch = UUIDv7(high: random.next(), low: 7).wire
                    $0.rev = number()
                }
            }
            if maybe() { $0.credentials = Data([1, 2, 3]) }
        }
    }

    @Test("what the generated code writes is read, and forwarded unchanged")
    func roundTrip() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<2_000 {
            let wire = sample(&random)
            let read = try #require(wire.encoded.withUnsafeBytes { RequestHeader($0) })
            var written = WireWriter()
            let (sent, timeout) = (random.next(), UInt32(truncatingIfNeeded: random.next()))
            read.write(sent: sent, timeout: timeout, into: &written)
            var passedOn = wire
            (passedOn.sentMs, passedOn.timeoutMs) = (sent, timeout)
            #expect(try WireRequestHeader(serializedBytes: written.bytes) == passedOn)
            #expect(read.sentMs == wire.sentMs && read.timeoutMs == wire.timeoutMs && read.user == wire.user)
            #expect(read.hasAtLeast == wire.hasAtLeast && read.atLeast == wire.atLeast)
        }
    }

    @Test("broken bytes are judged as the generated code judges them")
    func mutations() {
        var random = SplitMix64(seed: 2)
        var (refused, taken) = (0, 0)
        for _ in 0..<30_000 {
            var bytes = sample(&random).encoded
            for _ in 0...(random.next() % 3) {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                default: bytes += sample(&random).encoded
                }
            }
            let ours = bytes.withUnsafeBytes { RequestHeader($0) }
            let theirs = (try? WireRequestHeader(serializedBytes: bytes)).flatMap { RequestHeader($0) }
            // The position inside may be encoded differently, with the same meaning.
            #expect(ours?.key == theirs?.key && ours?.sentMs == theirs?.sentMs && ours?.timeoutMs == theirs?.timeoutMs)
            #expect(ours?.user == theirs?.user && ours?.hasAtLeast == theirs?.hasAtLeast)
            #expect(ours?.atLeast == theirs?.atLeast)
            if ours == nil { refused += 1 } else { taken += 1 }
        }
        #expect(refused > 3_000 && taken > 3_000)
    }

    @Test("a requested position is read as the generated code reads it")
    func asked() throws {
        for run in [nil, UUIDv7(high: 5, low: 6)] {
            let position = Position(epoch: UUIDv7(high: 1, low: 2), rev: 300, run: run)
            let header = RequestHeader(
                key: RequestKey(client: UUIDv7(high: 3, low: 4), sequence: 5), user: "bea", atLeast: position)
            var written = WireWriter()
            header.write(sent: 0, timeout: 0, into: &written)
            let wire = try WireRequestHeader(serializedBytes: written.bytes)
            #expect(try Position(wire.atLeast) == position && header.atLeast == wire.atLeast && wire.user == "bea")
        }
    }

    @Test("the broken header of an answer is judged as the generated code judges it")
    func brokenReplies() {
        var random = SplitMix64(seed: 3)
        func number() -> UInt64 { random.next() >> (random.next() % 64) }
        func sample() -> [UInt8] {
            WireReplyHeader.with {
                if random.next() % 8 > 0 { $0.client = UUIDv7(high: random.next(), low: 1).wire }
                $0.sequence = number()
                if random.next() % 4 > 0 {
                    $0.position.epoch = UUIDv7(high: random.next(), low: 7).wire
                    $0.position.rev = number()
                    if random.next() % 2 > 0 { $0.position.run = UUIDv7(high: 1, low: random.next()).wire }
                }
                $0.ageMs = UInt32(truncatingIfNeeded: number())
                $0.storageAway = random.next() % 2 > 0
            }.encoded
        }
        var (refused, unnamed, taken) = (0, 0, 0)
        for round in 0..<30_000 {
            var bytes = sample()
            for _ in 0..<(round % 4) where !bytes.isEmpty {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                default: bytes += sample()
                }
            }
            let ours = bytes.withUnsafeBytes { ReplyHeader.read($0) }
            let wire = try? WireReplyHeader(serializedBytes: bytes)
            #expect(ours?.header == wire.map { ReplyHeader($0) }, "\(bytes)")
            #expect(ours?.key == wire.flatMap { RequestKey(client: $0.client, sequence: $0.sequence) }, "\(bytes)")
            if ours == nil { refused += 1 } else if ours?.key == nil { unnamed += 1 } else { taken += 1 }
        }
        #expect(refused > 3_000 && unnamed > 1_000 && taken > 3_000)
    }

    @Test("the header of an answer is read by the generated code", arguments: [0, 1, 127, 128, 1 << 40, UInt64.max])
    func reply(number: UInt64) throws {
        let epoch = UUIDv7(high: 1, low: .max)
        for run in [nil, UUIDv7(high: 5, low: 6)] {
            for isAway in [false, true] {
                let header = ReplyHeader(
                    position: Position(epoch: epoch, rev: number, run: run),
                    ageMs: UInt32(truncatingIfNeeded: number), storageAway: isAway)
                var written = WireWriter()
                let key = RequestKey(client: UUIDv7(high: 8, low: 9), sequence: max(1, number))
                header.write(key, into: &written)
                let wire = try WireReplyHeader(serializedBytes: written.bytes)
                #expect(RequestKey(client: wire.client, sequence: wire.sequence) == key)
                #expect(ReplyHeader(wire) == header)
            }
        }
        var empty = WireWriter()
        ReplyHeader().write(nil, into: &empty)
        #expect(empty.bytes.isEmpty)
    }
}
