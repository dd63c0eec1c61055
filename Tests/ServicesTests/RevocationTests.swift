// SPDX-License-Identifier: Apache-2.0

import Accounts
import ChangeFeed
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Keys that end", .inTurn)
struct RevocationTests {
    /// What one follower has received.
    private actor Heard {
        private(set) var names: [String] = []
        private(set) var failure: String?
        func add(_ name: String) { names.append(name) }
        func ended(_ error: any Error) { failure = "\(error)" }
    }

    private func follow(_ client: WaymarkClient, _ heard: Heard) -> Task<Void, Never> {
        let feed = client.feed()
        return Task {
            do {
                for try await item in feed {
                    if case .change(let change) = item { await heard.add(change.change.landmark.name) }
                }
            } catch {
                await heard.ended(error)
            }
        }
    }

    @Test("a key's feed falls silent within a second, and a hundred others go on with nothing lost or doubled")
    func feeds() async throws {
        try await withSecuredPair { pair in
            let (annKeys, ann) = try await pair.account("ann", .user)
            let (bobKeys, bob) = try await pair.account("bob", .reader)
            // Three that end, one after the other: a busy machine may be slow with one of them.
            var ending = [bobKeys]
            for _ in 0..<2 {
                let keys = try CurveKeyPair.generate()
                try await bob.addKey(keys.publicKey, label: "another")
                let client = try await pair.client(keys)
                try await until { await refusal { _ = try await client.whoAmI() } == nil }
                ending.append(keys)
            }
            let all = (0..<103).map { _ in Heard() }
            var tasks: [Task<Void, Never>] = []
            for (number, heard) in all.enumerated() {
                tasks.append(follow(try await pair.client(number < 3 ? ending[number] : annKeys), heard))
            }
            // Until everybody hears.
            var sent = 0
            while true {
                _ = try await ann.add(WriteTests.draft("\(sent)"))
                sent += 1
                var isThere = true
                for heard in all where await heard.names.isEmpty { isThere = false }
                if isThere { break }
            }
            let machine = try await pair.machine()
            // How many were begun.
            let begun = Locked(sent)
            let isOver = Locked(false)
            let writing = Task {
                while !isOver.withLock({ $0 }) {
                    let number = begun.withLock { begun in
                        defer { begun += 1 }
                        return begun
                    }
                    _ = try await ann.add(WriteTests.draft("\(number)"))
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            try await until { begun.withLock { $0 } > sent + 20 }
            var times: [Duration] = []
            // For each of the three, which changes were begun when its connection had been ended.
            var ends: [Int] = []
            for (number, keys) in ending.enumerated() {
                try await machine.endKey(keys.publicKey)
                let ended = ContinuousClock.now
                try await until {
                    HostileTests.counter("feed_cut_off", try await machine.status().storage?.counters)
                        == UInt64(number + 1)
                }
                times.append(ContinuousClock.now - ended)
                ends.append(begun.withLock { $0 })
            }
            #expect(await refusal { _ = try await bob.whoAmI() } != nil)
            let fastest = try #require(times.min())
            #expect(fastest < .seconds(1), "\(times)")
            try await until { begun.withLock { $0 } > ends[2] + 20 }
            isOver.withLock { $0 = true }
            try await writing.value
            let total = begun.withLock { $0 }
            for heard in all.dropFirst(3) {
                try await until { await heard.names.last == "\(total - 1)" }
                let names = await heard.names.compactMap { Int($0) }
                #expect(names == Array((names.first ?? 0)..<total))
            }
            // Others were not disturbed: nobody of them had to connect again.
            let status = try await machine.status()
            #expect(status.storage?.counters.first { $0.name == "feed_cut_off" }?.value == 3)
            // The followers are told, and do not try for ever. They have heard nothing that was begun later.
            for (heard, end) in zip(all, ends) {
                try await until { await heard.failure != nil }
                #expect(await heard.names.allSatisfy { Int($0).map { $0 < end } ?? false })
            }
            for task in tasks { task.cancel() }
        }
    }

    @Test("a key that is added works at once, also while the old one is in use; the old one's end does not disturb it")
    func rotation() async throws {
        try await withSecuredPair { pair in
            let (old, ann) = try await pair.account("ann", .user)
            let new = try CurveKeyPair.generate()
            try await ann.addKey(new.publicKey, label: "new")
            let client = try await pair.client(new)
            try await until { await refusal { _ = try await client.whoAmI() } == nil }
            #expect(try await client.keys().count == 2)
            try await client.endKey(old.publicKey)
            #expect(try await client.whoAmI().name == "ann")
            #expect(await refusal { try await client.addKey(old.publicKey) } == "invalid")
        }
    }

    @Test("nobody ends another's key, but an administrator")
    func others() async throws {
        try await withSecuredPair { pair in
            let (annKeys, ann) = try await pair.account("ann", .user)
            let (_, bob) = try await pair.account("bob", .moderator)
            #expect(await refusal { try await bob.endKey(annKeys.publicKey) } == "not_found")
            #expect(await refusal { _ = try await bob.keys(of: "ann") } == "denied")
            #expect(await refusal { try await bob.addKey(CurveKeyPair.generate().publicKey, to: "ann") } == "denied")
            #expect(try await ann.whoAmI().name == "ann")
        }
    }

    @Test("without the handler nobody gets in, those who are in go on, and health says why")
    func handler() async throws {
        let context = try Context()
        let handler = try await ZAPHandler(context: context)
        let pair = try await SecuredPair(handler: handler, context: context)
        let (keys, ann) = try await pair.account("ann", .user)
        // Connected from here on.
        _ = try await ann.whoAmI()
        #expect(await pair.query.health().problems.isEmpty)
        await handler.stop()
        let another = try await pair.client(keys, timeout: .seconds(5))
        #expect(await refusal { _ = try await another.whoAmI() } != nil)
        #expect(try await ann.whoAmI().name == "ann")
        let problems = await pair.query.health().problems
        #expect(problems.count == 1)
        #expect(problems.first?.contains("Nobody can connect any more") == true)
        await pair.stop()
    }
}
