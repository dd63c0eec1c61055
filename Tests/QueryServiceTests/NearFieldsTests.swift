// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import QueryService

@Suite("Near, read by hand", .computing)
struct NearFieldsTests {
    private func read(_ bytes: [UInt8]) -> NearFields? { bytes.withUnsafeBytes { NearFields(request: $0) } }

    private func plain(_ near: WireNear) -> NearFields {
        NearFields(
            lat: near.lat, lng: near.lng, limit: near.limit, radius: near.hasRadiusM ? near.radiusM : nil,
            minDistance: near.hasMinDistanceM ? near.minDistanceM : nil)
    }

    private func sample(_ random: inout SplitMix64) -> WireRequest {
        .with {
            $0.near.lat = 90 * random.unit()
            $0.near.lng = 180 * random.unit()
            $0.near.limit = UInt32(truncatingIfNeeded: random.next() >> (random.next() % 64))
            if random.next() & 1 == 0 { $0.near.radiusM = 1e6 * random.unit() }
            if random.next() & 1 == 0 { $0.near.minDistanceM = random.unit() }
            if random.next() & 1 == 0 { $0.near.filter = WireFilter() }
        }
    }

    @Test("reads what the generated code writes")
    func roundTrip() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<2_000 {
            let request = sample(&random)
            #expect(read(try request.serializedBytes()) == plain(request.near))
        }
    }

    @Test("leaves requests with other fields to the generated code")
    func others() throws {
        #expect(read(try WireRequest.with { $0.near.after = Data([1]) }.serializedBytes()) == nil)
        #expect(read(try WireRequest.with { $0.near.filter.kind = "x" }.serializedBytes()) == nil)
        #expect(read(try WireRequest.with { $0.list = WireList() }.serializedBytes()) == nil)
        let near: [UInt8] = try WireRequest.with { $0.near.lat = 1 }.serializedBytes()
        #expect(read(near) != nil && read(near + near) == nil && read([]) == nil)
    }

    @Test("never misreads broken bytes")
    func mutations() throws {
        var random = SplitMix64(seed: 2)
        var taken = 0
        for _ in 0..<30_000 {
            var bytes: [UInt8] = try sample(&random).serializedBytes()
            for _ in 0...(random.next() % 3) {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1 where bytes.count > 1: bytes.remove(at: place)
                default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                }
            }
            guard let ours = read(bytes) else { continue }
            taken += 1
            let theirs = try WireRequest(serializedBytes: bytes)
            guard case .near(let near)? = theirs.command else {
                Issue.record("read as a near: \(bytes)")
                continue
            }
            // Compared as bits, because a damaged number may be NaN.
            let wanted = plain(near)
            #expect(ours.lat.bitPattern == wanted.lat.bitPattern && ours.lng.bitPattern == wanted.lng.bitPattern)
            #expect(ours.limit == wanted.limit, "\(bytes)")
            #expect(ours.radius?.bitPattern == wanted.radius?.bitPattern)
            #expect(ours.minDistance?.bitPattern == wanted.minDistance?.bitPattern)
        }
        #expect(taken > 3_000)
    }
}
