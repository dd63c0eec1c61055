// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@Suite("Accounts, through both services", .inTurn)
struct AccountTests {
    private static func renaming(_ name: String = "another name") throws -> LandmarkEdit {
        try LandmarkEdit(name: name)
    }

    @Test(
        "each edits his own and is refused the other's, the moderator may, the reader reads; a rename keeps what is theirs"
    )
    func owners() async throws {
        try await withSecuredPair { pair in
            let (_, ann) = try await pair.account("ann", .user)
            let (_, bob) = try await pair.account("bob", .user)
            let (_, mod) = try await pair.account("mod", .moderator)
            let (_, eve) = try await pair.account("eve", .reader)
            let added = try await ann.add(WriteTests.draft("Bondi"), note: "ann's")
            let (note, id) = (try #require(added.note), added.id)
            for stranger in [bob, eve] {
                #expect(await refusal { _ = try await stranger.edit(id, try Self.renaming()) } == "denied")
                #expect(await refusal { _ = try await stranger.remove(id) } == "denied")
                #expect(await refusal { _ = try await stranger.editNote(note, "not mine") } == "denied")
                #expect(await refusal { _ = try await stranger.removeNote(note) } == "denied")
            }
            #expect(await refusal { _ = try await eve.addNote(to: id, "reader") } == "denied")
            #expect(await refusal { _ = try await eve.add(WriteTests.draft("no")) } == "denied")
            _ = try await bob.addNote(to: id, "bob's")
            _ = try await ann.edit(id, try Self.renaming())
            _ = try await mod.editNote(note, "the moderator's word")
            #expect(await refusal { _ = try await bob.compact(below: 0) } == "denied")
            #expect(try await mod.accounts().contains { $0.name == "bob" })
            #expect(await refusal { _ = try await bob.accounts() } == "denied")
            #expect(await refusal { _ = try await mod.changeAccount("bob", name: "rob") } == "denied")
            #expect(try await eve.show(id).landmark.user == "ann")

            let machine = try await pair.machine()
            _ = try await machine.changeAccount("ann", name: "anna")
            try await until {
                let landmark = try await eve.show(id).landmark
                return landmark.user == "anna" && landmark.notes.map(\.user) == ["anna", "bob"]
            }
            // The same key, the same account, the same landmark.
            _ = try await ann.edit(id, try Self.renaming("Bondi again"))
            #expect(await refusal { _ = try await bob.edit(id, try Self.renaming()) } == "denied")
            _ = try await mod.remove(id)
            for stranger in [bob, eve] { #expect(await refusal { _ = try await stranger.restore(id) } == "denied") }
            _ = try await ann.restore(id)
            #expect(try await eve.show(id).landmark.notes.map(\.user) == ["anna", "bob"])
            _ = try await mod.remove(id)
            _ = try await mod.restore(id)
        }
    }

    @Test("what a client writes about itself counts for nothing")
    func claims() async throws {
        try await withSecuredPair { pair in
            let (_, ann) = try await pair.account("ann", .user)
            let (bobKeys, _) = try await pair.account("bob", .user)
            let id = try await ann.add(WriteTests.draft("Bondi")).id
            let number = try await ann.whoAmI().number
            let edit = try Self.renaming()
            // A header that names ann's account and an origin, by bob's key.
            let asked = try await RawRequest.ask(
                pair.endpoint, keys: bobKeys, server: pair.serviceKeys.publicKey,
                .with { $0.edit = WireEdit(edit, of: id, ifVersion: nil) }, account: number, origin: "10.1.2.3")
            #expect(asked == .denied)
            let forged = try await RawRequest.ask(
                pair.endpoint, keys: bobKeys, server: pair.serviceKeys.publicKey,
                .with {
                    $0.signIn = .with {
                        ($0.name, $0.password) = ("ann", Data(SecuredPair.password("ann")))
                        $0.key = Data(bobKeys.publicKey.bytes)
                    }
                }, account: number, origin: "")
            #expect(forged == .denied)
            let audit = try await pair.machine().audit()
            #expect(audit.contains { $0.account == "bob" && $0.outcome == "denied" && $0.origin == "127.0.0.1" })
            #expect(!audit.contains { $0.origin == "10.1.2.3" })
        }
    }

    @Test("wrong password, unknown name, used invitation, ended account, ended key: each by its name")
    func refusals() async throws {
        try await withSecuredPair { pair in
            let machine = try await pair.machine()
            let (keys, ann) = try await pair.account("ann", .user)
            func signIn(_ name: String, _ password: String, code: String? = nil) async throws -> String? {
                let client = try await pair.client(
                    try CurveKeyPair.generate(), at: pair.signIn, server: pair.serviceKeys.publicKey)
                return await refusal { _ = try await client.signIn(name, password: Array(password.utf8), code: code) }
            }
            #expect(try await signIn("ann", "secret of ann") == nil)
            #expect(try await signIn("ANN", "secret of ann") == nil)
            #expect(try await signIn("ann", "wrong password") == "wrong_password")
            // The socket would end the connection, at each copy.
            #expect(try await signIn("ann", String(repeating: "long ", count: 1_000)) == "too_large")
            #expect(try await signIn("nobody", "wrong password") == "wrong_password")
            #expect(try await signIn("ann", "") == "wrong_password")
            #expect(try await signIn("ann", "new password", code: InvitationCode.make()) == "wrong_password")
            let code = try #require(try await machine.changeAccount("ann", invites: true).code)
            #expect(try await signIn("ann", "short", code: code) == "invalid")
            #expect(try await signIn("bob", "new password", code: code) == "wrong_password")
            #expect(try await signIn("ann", "new password", code: code) == nil)
            #expect(try await signIn("ann", "new password", code: code) == "wrong_password")
            #expect(try await signIn("ann", "new password") == nil)
            // A copy of a request whose answer was lost gets the same answer, also by an invitation.
            let (_, bob) = try await pair.account("bob", .user)
            let bobCode = try #require(try await machine.changeAccount("bob", invites: true).code)
            let key = try CurveKeyPair.generate()
            for password in ["bob's new one", "bob's new one", "something else"] {
                let client = try await pair.client(key, at: pair.signIn, server: pair.serviceKeys.publicKey)
                let answer = await refusal {
                    _ = try await client.signIn("bob", password: Array(password.utf8), code: bobCode)
                }
                #expect(answer == (password == "something else" ? "wrong_password" : nil))
            }
            #expect(try await bob.keys().count == 2)

            try await ann.setPassword(old: Array("new password".utf8), new: Array("a third one".utf8))
            #expect(try await signIn("ann", "a third one") == nil)
            #expect(
                await refusal { try await ann.setPassword(old: [1], new: Array("a fourth one".utf8)) }
                    == "wrong_password")

            try await ann.endKey(keys.publicKey)
            try await until { await refusal { _ = try await ann.whoAmI() } == "key_ended" }
            let again = try await pair.client(keys)
            #expect(await refusal { _ = try await again.whoAmI() } == "key refused")

            _ = try await machine.changeAccount("ann", ends: true)
            #expect(try await signIn("ann", "a third one") == "account_ended")
            #expect(try await signIn("ann", "wrong password") == "wrong_password")
            #expect(try await machine.audit().contains { $0.deed == "sign_in" && $0.outcome == "wrong_password" })
        }
    }

    @Test("strangers get nothing: no key, an unknown key, the wrong server key, a service's key where people sign in")
    func strangers() async throws {
        try await withSecuredPair { pair in
            let open = try await pair.client(nil, timeout: .seconds(10))
            #expect(await refusal { _ = try await open.hello() } != nil)
            let unknown = try await pair.client(try CurveKeyPair.generate())
            #expect(await refusal { _ = try await unknown.hello() } == "key refused")
            let (keys, _) = try await pair.account("ann", .admin)
            let misled = try await pair.client(
                keys, server: try CurveKeyPair.generate().publicKey, timeout: .seconds(10))
            #expect(await refusal { _ = try await misled.hello() } == "other server")
            // Storage takes requests of services alone, also from an administrator.
            let direct = try await pair.client(keys, at: pair.storageEndpoint, server: pair.storageKeys.publicKey)
            #expect(await refusal { _ = try await direct.hello() } == "key refused")
            // At the server-key endpoint and where one signs in there is nothing else to be had.
            let stranger = try await pair.client(nil, at: pair.serverKeyEndpoint)
            #expect(try await stranger.serverKey().key == pair.serviceKeys.publicKey)
            #expect(try await stranger.serverKey().signIn == pair.signIn)
            let origin = try Coordinate(latitude: 0, longitude: 0)
            #expect(await refusal { _ = try await stranger.near(origin) } == "key_ended")
            let waiting = try await pair.client(
                try CurveKeyPair.generate(), at: pair.signIn, server: pair.serviceKeys.publicKey)
            #expect(await refusal { _ = try await waiting.whoAmI() } == "key_ended")
            #expect(
                await refusal { _ = try await waiting.near(try Coordinate(latitude: 0, longitude: 0)) } == "key_ended")
        }
    }

    @Test("an unknown key is no sign of another server: not even while storage cannot be asked about it")
    func storageAway() async throws {
        try await withSecuredPair { pair in
            await pair.storage.stop()
            let unknown = try await pair.client(try CurveKeyPair.generate(), timeout: .seconds(8))
            #expect(await refusal { _ = try await unknown.hello() } == "cannot connect")
        }
    }

    @Test("the last administrator stays, names are given once, a service has no password")
    func rules() async throws {
        try await withSecuredPair { pair in
            let machine = try await pair.machine()
            let (_, root) = try await pair.account("root", .admin)
            #expect(await refusal { _ = try await root.changeAccount("root", role: .user) } == "invalid")
            #expect(await refusal { _ = try await root.changeAccount("root", ends: true) } == "invalid")
            #expect(await refusal { _ = try await root.createAccount("Root", .user) } == "invalid")
            #expect(try await root.createAccount("robot", .service).code == nil)
            #expect(await refusal { _ = try await root.changeAccount("robot", invites: true) } == "invalid")
            #expect(await refusal { _ = try await root.changeAccount("robot", role: .admin) } == "invalid")
            #expect(await refusal { _ = try await root.changeAccount("nobody", role: .admin) } == "not_found")
            _ = try await root.createAccount("second", .admin)
            #expect(try await root.changeAccount("root", role: .user).state.role == .user)
            #expect(await refusal { _ = try await root.accounts() } == "denied")
            #expect(try await machine.accounts().map(\.name) == ["query", "root", "robot", "second"])
        }
    }

    @Test("claimed names' landmarks go to an account, and only those")
    func adoption() async throws {
        let pair = try await Pair(.tcp, onDisk: true)
        let before = try await pair.client(user: "old ann")
        var ids: [Landmark.ID] = []
        for number in 0..<300 { ids.append(try await before.add(WriteTests.draft("\(number)")).id) }
        let other = try await pair.client(user: "bob")
        let others = try await other.add(WriteTests.draft("bob's"), note: "his").id
        _ = try await before.addNote(to: others, "ann's note")
        await before.close()
        await other.close()
        let directory = pair.directory
        await pair.stop()

        let secured = try await SecuredPair(directory: directory)
        do {
            let machine = try await secured.machine()
            let (_, ann) = try await secured.account("ann", .user)
            #expect(await refusal { _ = try await ann.edit(ids[0], try Self.renaming()) } == "denied")
            try await machine.adopt("old ann", by: "ann")
            try await until {
                let last = try await machine.show(ids[299]).landmark.user
                let notes = try await machine.show(others).landmark.notes.map(\.user)
                return last == "ann" && notes == ["bob", "ann"]
            }
            for id in ids { #expect(try await ann.show(id).landmark.user == "ann") }
            _ = try await ann.edit(ids[0], try Self.renaming())
            #expect(await refusal { _ = try await ann.edit(others, try Self.renaming()) } == "denied")
        } catch {
            await secured.stop()
            throw error
        }
        await secured.stop()
    }
}
