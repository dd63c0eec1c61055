// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import StorageService

@Suite("The order of group commit", .computing)
struct CommitMachineTests {
    private var machine = CommitMachine(mostCommands: 4, mostBytes: 1_000)

    @Test("nothing is committed where nothing has gathered; the first write begins a batch at once")
    mutating func begins() {
        #expect(machine.gathered(0, bytes: 0) == [])
        #expect(machine.gathered(1, bytes: 10) == [.apply] && machine.isCommitting)
        #expect(machine.gathered(1, bytes: 10) == [], "the next batch gathers")
    }

    @Test("the next batch is handed over before the last one is answered, and reads go on after that")
    mutating func order() {
        _ = machine.gathered(1, bytes: 10)
        #expect(machine.ended(gathered: 3) == [.apply, .finish, .releaseReads] && machine.isCommitting)
        #expect(machine.ended(gathered: 0) == [.finish, .releaseReads] && !machine.isCommitting)
    }

    @Test(
        "a full next batch stops the socket once, by number or by bytes, and its turn opens it again",
        arguments: [(4, 10), (1, 1_000)])
    func full(count: Int, bytes: Int) {
        var machine = machine
        _ = machine.gathered(1, bytes: 10)
        #expect(machine.gathered(3, bytes: 999) == [])
        #expect(machine.gathered(count, bytes: bytes) == [.stopReceiving] && !machine.isReceiving)
        #expect(machine.gathered(count, bytes: bytes) == [])
        #expect(machine.ended(gathered: count) == [.apply, .finish, .releaseReads, .receive] && machine.isReceiving)
    }

    @Test("random orders: each batch is applied and finished once, in turn, and what was stopped goes on")
    func random() {
        var random = SplitMix64(seed: 37)
        for _ in 0..<1_000 {
            var machine = CommitMachine(mostCommands: 3, mostBytes: 1_000)
            var (gathered, applied, finished, isOpen) = (0, 0, 0, true)
            func apply(_ actions: [CommitMachine.Action]) {
                for action in actions {
                    switch action {
                    case .apply: (applied, gathered) = (applied + 1, 0)
                    case .finish: finished += 1
                    case .releaseReads: break
                    case .stopReceiving: isOpen = false
                    case .receive: isOpen = true
                    }
                }
            }
            for _ in 0..<50 {
                if isOpen, Bool.random(using: &random) {
                    gathered += Int.random(in: 0...3, using: &random)
                    apply(machine.gathered(gathered, bytes: 0))
                } else if machine.isCommitting {
                    apply(machine.ended(gathered: gathered))
                }
                #expect(applied - finished == (machine.isCommitting ? 1 : 0) && machine.isReceiving == isOpen)
                #expect(isOpen || machine.isCommitting, "a closed socket has a batch that opens it")
            }
        }
    }
}
