// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LoadTest

@Suite("Operations under way")
struct FlightTests {
    @Test("end in any order, once, and give their room back")
    func anyOrder() {
        var flight = Flight(most: 4)
        for number in 1...4 { flight.begin(UInt64(number), intended: UInt64(number * 10), client: number) }
        #expect(!flight.hasRoom && flight.count == 4)
        #expect(flight.end(3)?.intended == 30)
        #expect(flight.end(3) == nil && flight.end(9) == nil)
        // The oldest one is under way still: its place cannot be given away.
        #expect(!flight.hasRoom)
        #expect(flight.end(1)?.client == 1)
        #expect(flight.hasRoom)
        flight.begin(5, intended: 50, client: 0)
        #expect(flight.end(5)?.intended == 50 && flight.end(1) == nil)
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
}
