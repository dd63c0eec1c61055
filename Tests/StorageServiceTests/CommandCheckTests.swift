// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

@Suite("Requests are checked before they become commands", .inShortTurn)
struct CommandCheckTests {
    private let id = Data(repeating: 7, count: 16)

    private func code(_ request: WireRequest) -> ErrorCode? {
        do {
            _ = try Command(request)
            return nil
        } catch {
            return error.code
        }
    }

    private func add(_ change: (inout WireAdd) -> Void) -> WireRequest {
        .with {
            $0.add.draft.name = "Bondi"
            $0.add.draft.lat = -33.9
            $0.add.draft.lng = 151.3
            change(&$0.add)
        }
    }

    @Test func addsAreTakenAndRefused() throws {
        #expect(try Command(add { $0.note = " Surf " }) == .add(try draft("Bondi", -33.9, 151.3), note: "Surf"))
        #expect(code(add { $0.draft.lng = 511.3 }) == .invalid)
        #expect(code(add { $0.draft.name = String(repeating: "n", count: 200) }) == nil)
        #expect(code(add { $0.draft.name = String(repeating: "n", count: 201) }) == .invalid)
        #expect(code(add { $0.draft.name = " " }) == .invalid)
        #expect(code(add { $0.draft.lat = 91 }) == .invalid)
        #expect(code(add { $0.draft.lat = .nan }) == .invalid)
        #expect(code(add { $0.draft.lng = .infinity }) == .invalid)
        #expect(code(add { $0.draft.attributes.rating = 6 }) == .invalid)
        #expect(code(add { $0.note = String(repeating: "n", count: 10_001) }) == .invalid)
        #expect(code(add { $0.clearDraft() }) == .invalid)
    }

    @Test("numbers of a fetch that no source can have are refused")
    func fetches() {
        func begin(_ every: UInt64) -> WireRequest {
            .with { $0.beginFetch = .with { ($0.source, $0.everyMs) = ("s", every) } }
        }
        #expect(code(begin(366 * 86_400_000)) == nil)
        #expect(code(begin(366 * 86_400_000 + 1)) == .invalid && code(begin(.max)) == .invalid)
        func end(_ counts: WireIngestCounts) -> WireRequest {
            .with {
                $0.endFetch = .with { ($0.source, $0.outcome.result, $0.outcome.counts) = ("s", .ingested, counts) }
            }
        }
        #expect(code(end(.with { ($0.added, $0.kept) = (1 << 40, 7) })) == nil)
        for wrong in [
            WireIngestCounts.with { $0.added = .max }, .with { $0.changed = .max }, .with { $0.unchanged = .max },
            .with { $0.removed = .max }, .with { $0.rejected = .max }, .with { $0.kept = 1 << 40 + 1 },
        ] { #expect(code(end(wrong)) == .invalid) }
    }

    @Test("what is read by hand is refused for the reason that the generated code's reading is refused for")
    func addsReadByHand() throws {
        for request in [
            add { $0.note = " Surf " }, add { $0.draft.attributes.rating = 5 }, add { $0.draft.attributes.rating = 6 },
            add { $0.draft.name = " " }, add { $0.draft.lat = 91 }, add { $0.clearDraft() },
            add { $0.note = String(repeating: "n", count: 10_001) }, add { $0.draft.attributes.link = "\0" },
        ] {
            let bytes: [UInt8] = try request.serializedBytes()
            let fields = try #require(bytes.withUnsafeBytes { AddFields(request: $0) })
            let ours = Result { () throws(ServiceError) in try Command(fields) }
            let theirs = Result { () throws(ServiceError) in try Command(request) }
            #expect(ours == theirs)
        }
    }

    @Test("a hook has a URL that names a host and no password, and a fence has a condition of an area or a text")
    func fencesAndHooks() throws {
        func hook(_ change: (inout WireAddHook) -> Void) -> WireRequest {
            .with {
                $0.addHook = .with {
                    ($0.name, $0.url) = ("n", "https://example.org:8443/a?b=c")
                    change(&$0)
                }
            }
        }
        #expect(code(hook { _ in }) == nil && code(hook { $0.url = "http://[::1]/" }) == nil)
        for url in [
            "", "example.org", "ftp://example.org/", "https:///path", "https://ann@example.org/", "https://a:b@c/",
            "https://example.org/ b", "https://exämple.org/", "https://example.org:0/", "https://example.org/\n",
            "https://example.org/" + String(repeating: "a", count: 2_048),
        ] { #expect(code(hook { $0.url = url }) == .invalid, "\(url)") }
        #expect(code(hook { $0.name = "#1" }) == .invalid && code(hook { $0.name = "" }) == .invalid)
        #expect(code(hook { $0.batch = 1_000 }) == nil && code(hook { $0.batch = 1_001 }) == .invalid)
        for count in [23, 65] { #expect(code(hook { $0.secret = Data(count: count) }) == .invalid) }
        #expect(code(hook { $0.filter = Data([255]) }) == .invalid)
        // A filter of any encoding becomes the canonical one.
        let filter = WireFeedFilter.with { ($0.kinds, $0.operations) = (["b", "a", "b"], [.entered]) }
        guard case .addHook(let draft) = try Command(hook { $0.filter = Data(filter.encoded) }) else {
            Issue.record("no hook")
            return
        }
        let canonical = WireFeedFilter.with { ($0.kinds, $0.operations) = (["a", "b"], [.entered]) }
        #expect(draft.hook.filter == Data(canonical.encoded))
        #expect(draft.hook.batch == 1 && draft.hook.secret.count == 32)

        func fence(_ filter: WireFeedFilter) -> WireRequest {
            .with { $0.addFence = .with { ($0.name, $0.filter) = ("n", Data(filter.encoded)) } }
        }
        #expect(code(fence(.with { $0.circle = .with { ($0.lat, $0.radiusM) = (1, 5) } })) == nil)
        for wrong in [
            WireFeedFilter(), .with { $0.operations = [.added] }, .with { ($0.kinds, $0.ids) = (["a"], [id]) },
        ] { #expect(code(fence(wrong)) == .invalid) }
        #expect(code(.with { $0.changeHook.name = "n" }) == .invalid)
        #expect(code(.with { $0.changeHook.act = .pause }) == .invalid)
        #expect(code(.with { $0.changeHook = .with { ($0.act, $0.all) = (.pause, true) } }) == nil)
        #expect(code(.with { $0.hookTurn.service = Data(count: 15) }) == .invalid)
    }

    @Test func idsAndVersionsAreRead() throws {
        let id = try #require(UUIDv7(bytes: self.id))
        #expect(
            try Command(
                .with {
                    $0.remove.id = self.id
                    $0.remove.ifVersion = 3
                }) == .remove(id, ifVersion: 3))
        #expect(try Command(.with { $0.remove.id = self.id }) == .remove(id, ifVersion: nil))
        #expect(code(.with { $0.remove.id = Data([1, 2]) }) == .invalid)
        #expect(code(.with { $0.edit.id = self.id }) == .invalid)
        #expect(code(.with { $0.addNote.landmark = self.id }) == .invalid)
        #expect(code(.with { $0.removeNote.note = Data() }) == .invalid)
    }

    @Test func whatIsNoWriteIsUnknown() {
        #expect(code(WireRequest()) == .unknownCommand)
        #expect(code(.with { $0.status = WireStatus() }) == .unknownCommand)
    }

    @Test func rowsAreRejectedOneByOneAndTheFirstOfAKeyStands() throws {
        func row(_ key: String, _ name: String, _ latitude: Double = 1) -> WireSourceRow {
            WireSourceRow(key, .with { ($0.name, $0.lat) = (name, latitude) })
        }
        let command = try Command(
            .with {
                $0.ingest.source = "seed"
                $0.ingest.rows = [
                    row("a", "first"), row("b", ""), row("a", "second"), row("", "keyless"), row("c", "off", 91),
                    .with { $0.key = "d" }, row("e", "last"),
                ]
                $0.ingest.vanished = ["a", "z", "z"]
            })
        guard case .ingest(let batch) = command else {
            Issue.record("no ingest")
            return
        }
        #expect(batch.rows.map(\.place) == [0, 6] && batch.rows.map(\.draft.name) == ["first", "last"])
        #expect(batch.rejected.map(\.row) == [1, 2, 3, 4, 5])
        #expect(batch.vanished == ["z"])
    }

    @Test func ingestsHaveLimits() {
        func ingest(_ count: Int, source: String = "seed") -> WireRequest {
            .with {
                $0.ingest.source = source
                $0.ingest.vanished = (0..<count).map { "\($0)" }
            }
        }
        #expect(code(ingest(1_000)) == nil)
        #expect(code(ingest(1_001)) == .tooLarge)
        #expect(code(ingest(1, source: "")) == .invalid)
    }

    @Test func fetchesAreChecked() {
        func begin(_ change: (inout WireBeginFetch) -> Void) -> WireRequest {
            .with {
                $0.beginFetch.source = "seed"
                change(&$0.beginFetch)
            }
        }
        #expect(code(begin { $0.leaseMs = FetchRules.longestLease }) == nil)
        #expect(code(begin { $0.leaseMs = FetchRules.longestLease + 1 }) == .invalid)
        #expect(code(begin { $0.url = String(repeating: "u", count: 8_193) }) == .invalid)
        #expect(code(begin { $0.source = "" }) == .invalid)
        #expect(code(.with { $0.endFetch.source = "seed" }) == .invalid)
    }
}
