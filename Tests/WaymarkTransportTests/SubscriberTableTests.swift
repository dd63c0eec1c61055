// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkTransport

@Suite("Who follows by which connection", .computing)
struct SubscriberTableTests {
    /// Two keys of account 1, one of account 2, one of a service, and one of nobody.
    private let keys: [CurveKey]
    private let owners: [CurveKey: FeedOwner]

    init() throws {
        keys = try (0..<5).map { _ in try CurveKeyPair.generate().publicKey }
        owners = [keys[0]: .account(1), keys[1]: .account(1), keys[2]: .account(2), keys[3]: .service]
    }

    /// Of 24 connections and topics, so that a share is three.
    private func table() -> SubscriberTable {
        SubscriberTable(connections: 24, topics: 24) { [owners] in owners[$0] }
    }

    private func connect(_ table: inout SubscriberTable, _ descriptor: Int32, _ key: Int) -> SubscriberTable.Verdict {
        _ = table.began(descriptor)
        return table.judge(keys[key], by: descriptor)
    }

    @Test("an account has its share with all its keys, until one of its connections ends; a service has no limit")
    func share() {
        var table = table()
        for descriptor in 1...3 as ClosedRange<Int32> {
            #expect(connect(&table, descriptor, Int(descriptor) % 2) == .heed(.account(1)))
        }
        #expect(table.judge(keys[1], by: 1) == .heed(.account(1)))
        #expect(connect(&table, 4, 0) == .overShare && table.takeRefusals() == [1])
        #expect(connect(&table, 5, 2) == .heed(.account(2)) && table.takeRefusals().isEmpty)
        for descriptor in 10...20 as ClosedRange<Int32> { #expect(connect(&table, descriptor, 3) == .heed(.service)) }
        #expect(connect(&table, 21, 4) == .refused)
        table.ended(2)
        #expect(connect(&table, 2, 0) == .heed(.account(1)))
        #expect(connect(&table, 6, 0) == .overShare)
    }

    @Test("what comes after the end of its connection is not heeded, and takes nothing from the share")
    func late() {
        var table = table()
        for descriptor in 1...50 as ClosedRange<Int32> {
            _ = table.began(descriptor)
            table.ended(descriptor)
            #expect(table.judge(keys[0], by: descriptor) == .late)
        }
        #expect(connect(&table, 1, 0) == .heed(.account(1)))
    }

    @Test("a message of an earlier connection with the same descriptor does not name the next one for long")
    func descriptorAgain() {
        var table = table()
        _ = table.began(7)
        #expect(table.judge(keys[0], by: 7) == .heed(.account(1)))
        #expect(table.judge(keys[2], by: 7) == .heed(.account(2)))
        for descriptor in 1...3 as ClosedRange<Int32> {
            #expect(connect(&table, descriptor, 0) == .heed(.account(1)))
        }
    }

    @Test("of the connections that say nothing the oldest makes room")
    func silent() {
        var table = table()
        #expect((1...3).map { table.began($0) } == [nil, nil, nil])
        #expect(table.began(4) == 1)
        #expect(table.judge(keys[0], by: 2) == .heed(.account(1)))
        #expect(table.began(5) == nil)
        #expect(table.began(6) == 3)
    }

    @Test("an account has its share of topics, and gets back what nobody follows any more")
    func topics() {
        var table = table()
        #expect((0..<4).map { _ in table.takeTopic(.account(1)) } == [true, true, true, false])
        #expect(table.takeTopic(.account(2)) && table.takeRefusals() == [1])
        table.giveBackTopic(.account(1))
        #expect(table.takeTopic(.account(1)) && !table.takeTopic(.account(1)))
        #expect((0..<40).allSatisfy { _ in table.takeTopic(.service) })
    }
}
