// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@Suite("An add, read by hand", .computing)
struct AddFieldsTests {
    private func read(_ bytes: [UInt8]) -> AddFields? { bytes.withUnsafeBytes { AddFields(request: $0) } }

    private func sample(_ random: inout SplitMix64) -> WireRequest {
        let texts = ["", "a", "Bondi Beach and what lies behind it", "Patiāla", "東京タワー", "\u{0}"]
        func text() -> String { texts[Int(random.next() % UInt64(texts.count))] }
        return .with {
            $0.add.note = text()
            $0.add.expires = random.next() % 3 == 0 ? random.next() : 0
            guard random.next() % 8 > 0 else { return }
            $0.add.draft.name = text()
            $0.add.draft.lat = 90 * random.unit()
            $0.add.draft.lng = random.next() % 4 == 0 ? 0 : 180 * random.unit()
            guard random.next() & 3 > 0 else { return }
            $0.add.draft.attributes.kind = text()
            $0.add.draft.attributes.link = text()
            if random.next() & 1 == 0 { $0.add.draft.attributes.rating = 5 * random.unit() }
        }
    }

    @Test("what the generated code writes is read")
    func roundTrip() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<3_000 {
            let request = sample(&random)
            #expect(read(try request.serializedBytes()) == AddFields(request.add))
        }
    }

    @Test("what is none, or is encoded in another way, is left to the generated code")
    func others() throws {
        let add: [UInt8] = try WireRequest.with { $0.add.draft.name = "x" }.serializedBytes()
        let near: [UInt8] = try WireRequest.with { $0.near.lat = 1 }.serializedBytes()
        #expect(read(add) != nil && read(add + add) == nil && read(add + near) == nil && read(near) == nil)
        #expect(read([]) == nil && read(Array(add.dropLast())) == nil)
        // A field of `Add` that this release does not know.
        #expect(read([0xf2, 0x01, 2, 0x78, 1]) == nil)
        // Two drafts, which the generated code merges.
        #expect(read([0xf2, 0x01, 8, 0x0a, 3, 0x0a, 1, 0x78, 0x0a, 1, 0x22]) == nil)
        #expect(read([0xf2, 0x01, 4, 0x0a, 0, 0x0a, 0]) == nil)
        // Attributes twice, which are merged, and with what is no attribute.
        let link: [UInt8] = [0x22, 3, 0x32, 1, 0x78]
        let kind: [UInt8] = [0x22, 3, 0x2a, 1, 0x79]
        func reading(_ draft: [UInt8]) -> AddFields? {
            read([0xf2, 0x01, UInt8(draft.count) + 2, 0x0a, UInt8(draft.count)] + draft)
        }
        for draft in [kind + link, link + kind] {
            let fields = reading(draft)
            #expect(fields?.draft?.attributes.link == "x" && fields?.draft?.attributes.kind == "y")
            #expect(try fields == AddFields(WireAdd.with { $0.draft = try WireLandmarkDraft(serializedBytes: draft) }))
        }
        #expect(reading([0x22, 3, 0x12, 1, 0x78]) == nil)
    }

    @Test("broken bytes are never read as what they do not say")
    func mutations() throws {
        var random = SplitMix64(seed: 2)
        var (taken, left) = (0, 0)
        for _ in 0..<15_000 {
            var bytes: [UInt8] = try sample(&random).serializedBytes()
            try random.damage(&bytes) { try sample(&$0).serializedBytes() }
            guard let ours = read(bytes) else {
                left += 1
                continue
            }
            taken += 1
            let theirs = try WireRequest(serializedBytes: bytes)
            guard case .add(let add)? = theirs.command else {
                Issue.record("read as an add: \(bytes)")
                continue
            }
            // As bits: a broken number may be none.
            let wanted = AddFields(add)
            #expect(ours.note.utf8.elementsEqual(wanted.note.utf8))
            guard let ours = ours.draft, let wanted = wanted.draft else {
                #expect(ours.draft == nil && wanted.draft == nil)
                continue
            }
            #expect(ours.lat.bitPattern == wanted.lat.bitPattern && ours.lng.bitPattern == wanted.lng.bitPattern)
            #expect(ours.attributes.rating?.bitPattern == wanted.attributes.rating?.bitPattern)
            #expect(ours.name.utf8.elementsEqual(wanted.name.utf8))
            #expect(ours.attributes.kind.utf8.elementsEqual(wanted.attributes.kind.utf8))
            #expect(ours.attributes.link.utf8.elementsEqual(wanted.attributes.link.utf8))
        }
        #expect(taken > 3_000 && left > 1_000)
    }
}
