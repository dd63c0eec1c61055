// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import LoadTest

@Suite("Operations under way", .inShortTurn)
struct FlightTests {
    @Test("end in any order, once, and give their room back")
    func anyOrder() {
        var flight = Flight(most: 4)
        for number in 1...4 { flight.begin(UInt64(number), intended: UInt64(number * 10), client: number) }
        #expect(!flight.hasRoom && flight.count == 4)
        #expect(flight.end(3)?.intended == 30)
        #expect(flight.end(3) == nil && flight.end(9) == nil)
        #expect(flight.hasRoom)
        flight.begin(5, intended: 50, client: 0)
        #expect(!flight.hasRoom)
        #expect(flight.end(1)?.client == 1)
        #expect(flight.end(5)?.intended == 50 && flight.end(1) == nil)
    }

    @Test("one that is slow holds up no other, however many come and go meanwhile")
    func slow() {
        var flight = Flight(most: 4)
        flight.begin(1, intended: 1, client: 7)
        for number in 2...10_000 as ClosedRange<UInt64> {
            #expect(flight.hasRoom)
            flight.begin(number, intended: number, client: 0)
            #expect(flight.end(number)?.intended == number)
        }
        #expect(flight.expire(before: 2)?.client == 7 && flight.count == 0)
    }

    @Test("the oldest expire first, and none before its time")
    func expires() {
        var flight = Flight(most: 8)
        for number in 1...3 { flight.begin(UInt64(number), intended: UInt64(number * 10), client: 0) }
        #expect(flight.expire(before: 10) == nil)
        #expect(flight.expire(before: 25)?.number == 1)
        #expect(flight.expire(before: 25)?.number == 2)
        #expect(flight.expire(before: 25) == nil && flight.count == 1)
    }

    @Test("against a plain dictionary, with whatever ends next")
    func model() {
        var random = SeededGenerator(seed: 8)
        var (flight, model, number) = (Flight(most: 50), [UInt64: UInt64](), UInt64(0))
        for _ in 0..<20_000 {
            switch random.next() % 8 {
            case 0...3 where flight.hasRoom:
                number += 1 + random.next() % 3
                flight.begin(number, intended: number * 2, client: Int(number % 9))
                model[number] = number * 2
            case 4:
                let time = (model.keys.min() ?? 0) * 2 + 1
                #expect(flight.expire(before: time)?.number == model.keys.min())
                model[model.keys.min() ?? 0] = nil
            default:
                // Mostly some that are under way, sometimes any.
                let one = random.next() % 4 > 0 ? model.keys.randomElement(using: &random) ?? 1 : random.next() % 5_000
                let ended = flight.end(one)
                #expect(ended?.intended == model[one])
                if let ended { #expect(UInt64(ended.client) == one % 9) }
                model[one] = nil
            }
            #expect(flight.count == model.count && flight.hasRoom == (model.count < 50))
        }
    }
}
