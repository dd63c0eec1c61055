// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Sign-up, keys that only read, and grants with accounts", .inTurn)
struct PeopleAccessTests {
    private static func newcomer(_ pair: SecuredPair) async throws -> (keys: CurveKeyPair, client: WaymarkClient) {
        let keys = try CurveKeyPair.generate()
        return (keys, try await pair.client(keys, at: pair.signIn, server: pair.serviceKeys.publicKey))
    }

    @Test("where it is open, somebody makes an account and is signed in; again it is a sign-in, and a name is once")
    func signUp() async throws {
        try await withSecuredPair(isOpen: true) { pair in
            let (keys, first) = try await Self.newcomer(pair)
            let zoe = try await first.signIn("Zoë", password: SecuredPair.password("zoe"), fresh: true)
            #expect(zoe.role == .user && zoe.hasPassword && zoe.keys == 1)
            // The answer was lost: the same key asks again.
            #expect(
                try await first.signIn("Zoë", password: SecuredPair.password("zoe"), fresh: true).number == zoe.number)
            #expect(try await pair.client(keys).whoAmI().name == "Zoë")
            let (_, second) = try await Self.newcomer(pair)
            let taken = await refusal {
                _ = try await second.signIn("zoë", password: SecuredPair.password("other"), fresh: true)
            }
            #expect(taken == "invalid")
            let short = await refusal { _ = try await second.signIn("bob", password: [1], fresh: true) }
            #expect(short == "invalid")
            let (_, mod) = try await pair.account("mod", .moderator)
            #expect(try await mod.accounts().map(\.name).contains("Zoë"))
            let audit = try await pair.machine().audit()
            #expect(audit.contains { $0.deed == "sign_in" && $0.subject == "new Zoë" && $0.outcome == "ok" })
        }
    }

    @Test("where it is not open, nobody makes an account; an account does not see the list of accounts")
    func closed() async throws {
        try await withSecuredPair { pair in
            let (_, client) = try await Self.newcomer(pair)
            let closed = await refusal {
                _ = try await client.signIn("Zoë", password: SecuredPair.password("zoe"), fresh: true)
            }
            #expect(closed == "denied")
            let (_, ann) = try await pair.account("ann", .user)
            #expect(await refusal { _ = try await ann.accounts() } == "denied")
        }
    }

    @Test("a key that only reads is refused everything else")
    func readsOnly() async throws {
        try await withSecuredPair { pair in
            let (_, root) = try await pair.account("root", .admin)
            let keys = try CurveKeyPair.generate()
            try await root.addKey(keys.publicKey, label: "feed", readsOnly: true)
            #expect(try await root.keys().filter(\.readsOnly).map(\.label) == ["feed"])
            let reader = try await pair.client(keys)
            _ = try await reader.status()
            let draft = try LandmarkDraft(name: "x", coordinate: Coordinate(latitude: 1, longitude: 2))
            #expect(await refusal { _ = try await reader.add(draft) } == "denied")
            #expect(await refusal { _ = try await reader.keys() } == "denied")
            #expect(await refusal { _ = try await reader.hooks.page() } == "denied")
            _ = try await root.add(draft)
        }
    }

    @Test("a phone moves its owner's landmark through a service, until the owner ends its key")
    func phone() async throws {
        try await withSecuredPair { pair in
            let (_, ann) = try await pair.account("ann", .user)
            let (_, bob) = try await pair.account("bob", .user)
            let service = try await pair.client(pair.serviceKeys)
            let place = try Coordinate(latitude: 1, longitude: 2)
            let id = try await ann.add(LandmarkDraft(name: "ann", coordinate: place)).id
            let token = GrantToken()
            let digest = try #require(token.digest)
            let grant = try await ann.grants.add(token, .move, .landmark(id), label: "phone")
            #expect(grant.landmark == id && grant.digest == digest && grant.user == "ann")
            #expect(try await ann.grants.page().grants == [grant])
            #expect(try await bob.grants.page().grants.isEmpty)
            #expect(try await service.grants.find(digest)?.grant == grant)
            #expect(await refusal { _ = try await bob.grants.find(digest) } == "denied")
            let now = UInt64(Date().timeIntervalSince1970 * 1_000)
            let points = try [(now, 3.0), (now - 1_000, 4.0)].map { at, latitude in
                TrackPoint(rev: 0, at: at, coordinate: try Coordinate(latitude: latitude, longitude: 2), speed: 1.5)
            }
            let added = try await service.tracks.add(points, grant: digest)
            #expect(added.added == 2 && added.landmark == id && added.rev != nil)
            #expect(try await service.tracks.add(points, grant: digest).known == 2)
            let track = try await ann.tracks.page(of: id).points
            #expect(
                track.map(\.at) == [now - 1_000, now] && track.allSatisfy { $0.speed == 1.5 && $0.accuracy == nil })
            #expect(try await ann.show(id, history: 9).entries.first?.user == "ann")
            #expect(await refusal { _ = try await bob.tracks.add(points, to: id) } == "denied")
            #expect(try await ann.tracks.erase(of: nil) == 2)
            #expect(try await ann.tracks.page(of: id).points.isEmpty)
            try await ann.grants.end(digest)
            // After a late answer the refusal of a copy leaves open what the first one did.
            try await until { await refusal { _ = try await service.tracks.add(points, grant: digest) } == "key_ended" }
            let gone = try await service.grants.find(digest)
            #expect(gone == nil)
            let audit = try await pair.machine().audit()
            for (deed, subject) in [
                ("add_grant", "move, \(Fingerprint(digest)) phone"), ("end_grant", "\(Fingerprint(digest))"),
            ] {
                #expect(audit.contains { $0.deed == deed && $0.subject == subject && $0.account == "ann" })
            }
        }
    }
}
