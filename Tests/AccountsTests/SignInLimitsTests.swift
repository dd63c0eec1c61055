// SPDX-License-Identifier: Apache-2.0

import Accounts
import TestTurns
import Testing

@Suite("Guessing is slowed down", .computing)
struct SignInLimitsTests {
    private typealias Source = SignInLimits.Source

    @Test("five wrong passwords are free; then the pause doubles, up to a minute, and a right one ends it")
    func pauses() {
        var limits = SignInLimits()
        let source = Source(name: "ann", address: "10.0.0.1")
        var now: UInt64 = 1_000_000
        for _ in 0..<5 {
            #expect(limits.begin(source, now: now) == nil)
            limits.failed(source, now: now)
        }
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] as [UInt64] {
            #expect(limits.begin(source, now: now) == pause * 1_000)
            now += pause * 1_000
            #expect(limits.begin(source, now: now) == nil)
            limits.failed(source, now: now)
        }
        now += 60_000
        limits.succeeded(source, now: now)
        #expect(limits.begin(source, now: now) == nil)
    }

    @Test("an address has twenty attempts at once, whatever the names, and then one in five seconds")
    func addresses() {
        var limits = SignInLimits()
        let done = (0..<1_000).count { limits.begin(Source(name: "\($0)", address: "10.0.0.1"), now: 5_000) == nil }
        #expect(done == 20)
        #expect(limits.begin(Source(name: "x", address: "10.0.0.1"), now: 9_999) != nil)
        #expect(limits.begin(Source(name: "x", address: "10.0.0.1"), now: 10_001) == nil)
        #expect(limits.begin(Source(name: "x", address: "10.0.0.2"), now: 5_000) == nil)
    }

    @Test("a class signs in from one address at once, and again beside somebody who guesses there")
    func sharedAddress() {
        var limits = SignInLimits()
        let pupils = (0..<60).map { Source(name: "pupil \($0)", address: "10.0.0.1") }
        for pupil in pupils {
            #expect(limits.begin(pupil, now: 1_000) == nil)
            limits.succeeded(pupil, now: 1_000)
        }
        for number in 0..<1_000 {
            let guess = Source(name: "\(number)", address: "10.0.0.1")
            if limits.begin(guess, now: 2_000) == nil { limits.failed(guess, now: 2_000) }
        }
        #expect(limits.begin(Source(name: "new", address: "10.0.0.1"), now: 2_000) != nil)
        for pupil in pupils { #expect(limits.begin(pupil, now: 2_000) == nil) }
    }

    @Test("guessing a name from many addresses does not keep out who has signed in from his own")
    func names() {
        var limits = SignInLimits()
        let own = Source(name: "ann", address: "192.168.1.7")
        #expect(limits.begin(own, now: 1_000) == nil)
        limits.succeeded(own, now: 1_000)
        let guesses = (0..<500).count {
            limits.begin(Source(name: "ann", address: "10.0.\($0 / 250).\($0)"), now: 2_000) == nil
        }
        #expect(guesses <= 50)
        #expect(limits.begin(Source(name: "ann", address: "10.9.9.9"), now: 2_000) != nil)
        #expect(limits.begin(own, now: 2_000) == nil)
    }

    @Test("right passwords have limits too: of a name, and of an address")
    func rightOnes() {
        var limits = SignInLimits()
        func right(_ source: Source, _ tries: Int, at now: UInt64) -> Int {
            (0..<tries).count { _ in
                guard limits.begin(source, now: now) == nil else { return false }
                limits.succeeded(source, now: now)
                return true
            }
        }
        #expect(right(Source(name: "eve", address: "10.0.0.1"), 1_000, at: 1_000) == 30)
        #expect(right(Source(name: "eve", address: "10.0.0.2"), 1_000, at: 1_000) == 0)
        #expect(right(Source(name: "eve", address: "10.0.0.1"), 1_000, at: 11_000) == 5)
        // Other accounts of the same address, until those are too many.
        let others = (0..<20).map { right(Source(name: "\($0)", address: "10.0.0.1"), 30, at: 11_000) }.reduce(0, +)
        #expect(others == 200 - 35 + 10)
        #expect(right(Source(name: "root", address: "10.0.0.2"), 30, at: 11_000) == 30)
        // What began together ends together, and is owed.
        let bob = Source(name: "bob", address: "10.0.0.3")
        #expect(limits.begin(bob, now: 11_000) == nil)
        for _ in 0..<50 { limits.succeeded(bob, now: 11_000) }
        #expect(limits.begin(bob, now: 11_000) == 42_000)
    }

    @Test("strangers at the same address can do nothing to whoever proves to have been in before")
    func proof() {
        var limits = SignInLimits()
        let (stranger, own) = (Source(name: "Ann", address: "10.0.0.1"), Source(provenFor: "ann"))
        limits.succeeded(stranger, now: 1_000)
        for number in 0..<1_000 {
            let guess = number % 2 == 0 ? stranger : Source(name: "\(number)", address: "10.0.0.1")
            if limits.begin(guess, now: 2_000) == nil { limits.failed(guess, now: 2_000) }
        }
        #expect(limits.begin(stranger, now: 2_000) != nil)
        #expect(limits.begin(own, now: 2_000) == nil)
        // It is slow as well: a key that was found opens no other way to guess.
        for _ in 0..<5 { limits.failed(own, now: 2_000) }
        #expect(limits.begin(own, now: 2_000) == 1_000)
        limits.succeeded(own, now: 3_000)
        #expect((0..<1_000).count { _ in limits.begin(own, now: 3_000) == nil } < 30)
    }

    @Test("five accounts are made from an address at once, a hundred in all, then some each hour")
    func signUps() {
        var limits = SignInLimits()
        for _ in 0..<5 { #expect(limits.beginSignUp("one", now: 0) == nil) }
        #expect(limits.beginSignUp("one", now: 0) == 720_000)
        #expect(limits.beginSignUp("one", now: 720_000) == nil)
        #expect((0..<200).count { limits.beginSignUp("\($0)", now: 720_000) == nil } == 99)
        #expect(limits.beginSignUp("another", now: 3_600_000 + 720_000) == nil)
    }

    @Test("the tables stay bounded under a flood of names and addresses")
    func bounds() {
        var limits = SignInLimits()
        for number in 0..<50_000 {
            let source = Source(name: "\(number)", address: "\(number)")
            _ = limits.begin(source, now: UInt64(number))
            limits.failed(source, now: UInt64(number))
        }
        #expect(limits.entries <= 70_000)
    }
}
