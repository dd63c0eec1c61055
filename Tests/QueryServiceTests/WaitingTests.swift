// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import QueryService
@testable import WaymarkTransport

@Suite("Requests that wait in the query service", .computing)
struct WaitingTests {
    private func request(_ connection: UInt8, _ sequence: UInt64, bytes: Int = 10) -> IncomingRequest {
        let key = RequestKey(client: UUIDv7(high: 1, low: UInt64(connection)), sequence: sequence)
        return IncomingRequest(
            address: ReplyAddress(connection: [0, connection], key: key, kind: .add, received: 0, version: 1),
            header: RequestHeader(key: key), body: [UInt8](repeating: 0, count: bytes), remaining: 1_000, key: nil)
    }

    private func add(_ request: IncomingRequest, to queue: inout ForwardQueue) {
        let isTaken = queue.add(request)
        #expect(isTaken)
    }

    @Test("connections take turns: a client with many requests delays only itself")
    func turns() {
        var queue = ForwardQueue()
        for sequence in 1...1_000 as ClosedRange<UInt64> { add(request(1, sequence), to: &queue) }
        for (connection, sequence) in [(2, 1), (3, 1), (3, 2)] as [(UInt8, UInt64)] {
            add(request(connection, sequence), to: &queue)
        }
        let order = (0..<6).compactMap { _ in queue.next()?.address }
        #expect(order.map { $0.connection[1] } == [1, 2, 3, 1, 3, 1])
        #expect(order.filter { $0.connection[1] == 1 }.map(\.key.sequence) == [1, 2, 3])
        var left = 0
        while queue.next() != nil { left += 1 }
        #expect(left == 997 && queue.isEmpty)
    }

    @Test("the queue for storage is bounded by count and by bytes")
    func bounds() {
        var queue = ForwardQueue()
        var taken = 0
        while taken < 100_000, queue.add(request(1, 1)) { taken += 1 }
        #expect(taken == 65_536)
        _ = queue.next()
        add(request(2, 1), to: &queue)
        let isOneTooMany = !queue.add(request(2, 2))
        #expect(isOneTooMany)
        queue = ForwardQueue()
        taken = 0
        while taken < 100_000, queue.add(request(1, 1, bytes: 1 << 20)) { taken += 1 }
        #expect(taken == 64)
    }

    private func parked(_ wanted: UInt64, _ until: UInt64, _ sequence: UInt64 = 1) -> ParkedRequest {
        ParkedRequest(command: .near(WireNear()), request: request(1, sequence), wanted: wanted, until: until)
    }

    @Test("parked requests are released by revision, then in order of arrival, and refused when overdue")
    func parking() {
        var random = SplitMix64(seed: 9)
        var waiting = ParkedRequests()
        var model: [(wanted: UInt64, until: UInt64, sequence: UInt64)] = []
        for sequence in 1...2_000 as ClosedRange<UInt64> {
            let (wanted, until) = (random.next() % 500, random.next() % 500)
            let isTaken = waiting.add(parked(wanted, until, sequence))
            #expect(isTaken)
            model.append((wanted, until, sequence))
        }
        for step in stride(from: UInt64(10), through: 500, by: 70) {
            var released: [UInt64] = []
            while let next = waiting.next(through: step) { released.append(next.request.address.key.sequence) }
            let wanted = model.filter { $0.wanted <= step }.sorted {
                ($0.wanted, $0.sequence) < ($1.wanted, $1.sequence)
            }
            #expect(released == wanted.map(\.sequence))
            model.removeAll { $0.wanted <= step }
            let overdue = waiting.overdue(now: step).map(\.request.address.key.sequence)
            #expect(overdue == model.filter { $0.until <= step }.map(\.sequence))
            model.removeAll { $0.until <= step }
            #expect(waiting.count == model.count)
        }
        let rest = waiting.removeAll().map(\.request.address.key.sequence)
        #expect(rest == model.map(\.sequence))
        #expect(waiting.isEmpty)
        var taken = 0
        while taken < 20_000, waiting.add(parked(1, 1, UInt64(taken))) { taken += 1 }
        #expect(taken == 10_000)
    }

    @Test("a copy takes the place of the request before it, and no connection or account has more than its share")
    func shares() {
        var waiting = ParkedRequests(limit: 5, share: 2)
        func add(_ connection: UInt8, _ sequence: UInt64, account: UInt64 = 0, until: UInt64 = 10) -> Bool {
            var request = request(connection, sequence)
            request.header.account = account
            return waiting.add(
                ParkedRequest(command: .near(WireNear()), request: request, wanted: 7, until: until))
        }
        let first = [add(1, 1), add(1, 2), add(1, 1, until: 20), add(1, 2, until: 30)]
        #expect(first == [true, true, true, true] && waiting.count == 2 && waiting.bytes == 20)
        #expect(waiting.earliest == 20)
        #expect(waiting.overdue(now: 10).isEmpty)
        // One more is too many for the connection. An account has its share by all its connections together.
        let others = [add(1, 3), add(2, 1, account: 9), add(3, 1, account: 9), add(4, 1, account: 9)]
        #expect(others == [false, true, true, false])
        // Five are the most.
        let last = [add(5, 1), add(6, 1)]
        #expect(last == [true, false])
        #expect(waiting.next(through: 6) == nil)
        var released: [UInt8] = []
        while let next = waiting.next(through: 7) { released.append(next.request.address.connection[1]) }
        #expect(released == [1, 1, 2, 3, 5] && waiting.bytes == 0 && waiting.earliest == nil)
        // What has been answered leaves room.
        let again = [add(1, 1), add(4, 1, account: 9), add(3, 2, account: 9)]
        #expect(again == [true, true, true])
    }
}
