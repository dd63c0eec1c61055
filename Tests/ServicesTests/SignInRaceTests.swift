// SPDX-License-Identifier: Apache-2.0

import Accounts
import TestTurns
import Testing
import WaymarkClient
import ZeroMQ

@Suite("Signing in beside others", .inTurn)
struct SignInRaceTests {
    @Test("an old password that is being checked while another one is set is good for nothing")
    func oldPassword() async throws {
        try await withSecuredPair { pair in
            let (_, ann) = try await pair.account("ann", .user)
            let machine = try await pair.machine()
            let old = SecuredPair.password("ann")
            let count = Locked(0)
            let change = Task {
                // Some have begun by then, and others are being checked.
                try await until { count.withLock { $0 } > 0 }
                try await ann.setPassword(old: old, new: Array("another secret".utf8))
            }
            // Until the new one counts, so that some are being checked when it is set.
            let begun = try await withThrowingTaskGroup(of: Set<CurveKey>.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        var begun = Set<CurveKey>()
                        while true {
                            let digest = try CurveKeyPair.generate().publicKey
                            let code = await refusal {
                                let author = RequestAuthor(origin: "10.0.0.\(number)")
                                _ = try await machine.acting(for: author).beginSession(
                                    digest, for: "ann", password: old, code: "", label: "")
                            }
                            guard code == nil else { return begun }
                            begun.insert(digest)
                            count.withLock { $0 += 1 }
                        }
                    }
                }
                return try await group.reduce(into: Set<CurveKey>()) { $0.formUnion($1) }
            }
            try await change.value
            let good = try await machine.keys(of: "ann").filter { $0.ended == nil && begun.contains($0.key) }
            #expect(!begun.isEmpty)
            #expect(good.isEmpty, "\(good.count) of \(begun.count) sessions are good")
        }
    }

    @Test("an administrator signs in beside a reader who does so without a pause")
    func loops() async throws {
        try await withSecuredPair { pair in
            for (name, role) in [("eve", Role.reader), ("root", .admin)] { _ = try await pair.account(name, role) }
            let machine = try await pair.machine()
            func signIn(_ name: String, from address: String) async -> Bool {
                await refusal {
                    _ = try await machine.acting(for: RequestAuthor(origin: address)).beginSession(
                        try CurveKeyPair.generate().publicKey, for: name, password: SecuredPair.password(name),
                        code: "", label: "")
                } == nil
            }
            let done = await withTaskGroup(of: Void.self) { group in
                for _ in 0..<48 {
                    group.addTask {
                        while !Task.isCancelled {
                            _ = await signIn("eve", from: "10.0.0.1")
                            // What is refused is so at once, and other tests share the processor.
                            try? await Task.sleep(for: .milliseconds(100))
                        }
                    }
                }
                var done = 0
                for _ in 0..<25 where await signIn("root", from: "10.0.0.2") { done += 1 }
                group.cancelAll()
                return done
            }
            #expect(done == 25)
        }
    }

    @Test("on the bus the key of before lets its owner through beside guesses from the same address")
    func proof() async throws {
        try await withSecuredPair { pair in
            let (keys, ann) = try await pair.account("ann", .user)
            try await ann.endKey(keys.publicKey)
            func attempt(
                _ own: CurveKeyPair, _ password: String, _ key: CurveKey? = nil, within seconds: Int = 12
            ) async throws -> String? {
                let client = try await pair.client(
                    own, at: pair.signIn, server: pair.serviceKeys.publicKey, timeout: .seconds(seconds))
                return await refusal {
                    _ = try await client.signIn("ann", password: Array(password.utf8), key: key)
                }
            }
            let stranger = try CurveKeyPair.generate()
            // Four of them wait for a pause; the next one takes 16 s, more than any attempt below.
            for _ in 0..<9 { #expect(try await attempt(stranger, "wrong guess", within: 60) == "wrong_password") }
            #expect(try await attempt(stranger, "secret of ann", within: 1) != nil)
            let new = try CurveKeyPair.generate()
            #expect(try await attempt(keys, "wrong guess", new.publicKey) == "wrong_password")
            #expect(try await attempt(keys, "secret of ann", new.publicKey) == nil)
            #expect(try await pair.client(new).whoAmI().name == "ann")
            // The old one stays ended.
            #expect(try await attempt(keys, "secret of ann") == "invalid")
        }
    }
}
