// SPDX-License-Identifier: Apache-2.0

import Accounts
import TestTurns
import Testing

@testable import StorageService

@Suite("Who waits for a password to be checked", .computing)
struct PasswordQueueTests {
    private typealias Source = SignInLimits.Source

    @Test("addresses take turns, and so do the names of one")
    func turns() {
        var queue = PasswordQueue<String>()
        let eve = Source(name: "eve", address: "10.0.0.1")
        for number in 0..<10 { #expect(queue.add("eve \(number)", from: eve) == nil) }
        #expect(queue.next() == "eve 0")
        #expect(queue.add("root", from: Source(name: "root", address: "10.0.0.2")) == nil)
        #expect(queue.add("bob", from: Source(name: "bob", address: "10.0.0.1")) == nil)
        #expect((0..<4).map { _ in queue.next() } == ["root", "bob", "eve 1", "eve 2"])
    }

    @Test("when it is full, whoever has most of it loses one; a proof counts among equals")
    func full() {
        var queue = PasswordQueue<String>()
        let eve = Source(name: "eve", address: "10.0.0.1")
        for number in 0..<PasswordQueue<String>.most { #expect(queue.add("\(number)", from: eve) == nil) }
        #expect(queue.add("one more", from: eve) == "one more")
        #expect(queue.add("root", from: Source(name: "root", address: "10.0.0.2")) == "31")
        // Behind the same address.
        #expect(queue.add("bob", from: Source(name: "bob", address: "10.0.0.1")) == "30")
        var others = PasswordQueue<String>()
        for number in 0..<PasswordQueue<String>.most {
            #expect(others.add("\(number)", from: Source(name: "ann", address: "\(number)")) == nil)
        }
        #expect(others.add("stranger", from: Source(name: "ann", address: "x")) == "stranger")
        #expect(others.add("ann", from: Source(provenFor: "ann")) == "31")
    }
}
