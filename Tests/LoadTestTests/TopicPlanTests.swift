// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import LoadTest

@Suite("Topics and their receivers", .inShortTurn)
struct TopicPlanTests {
    @Test("ordinals have no gaps, and counts are exact, for each small plan")
    func dense() {
        for topics in 1...7 {
            for subscribed in 1...topics {
                let plan = TopicPlan(topics: topics, bytes: 4, subscribed: subscribed)
                for receiver in 0..<9 {
                    let own = Set((0..<subscribed).map { (receiver * subscribed + $0) % topics })
                    #expect(Set(plan.topics(of: receiver)) == own)
                    var count: UInt64 = 0
                    for number in UInt64(1)...40 {
                        let isOwn = own.contains(Int(number - 1) % topics)
                        if isOwn { count += 1 }
                        #expect(plan.ordinal(of: number, for: receiver) == (isOwn ? count : nil))
                        #expect(plan.count(upTo: number, for: receiver) == count)
                    }
                }
            }
        }
    }

    @Test("names are different and have one size, so none begins with another")
    func names() {
        let plan = TopicPlan(topics: 1_000, bytes: 6)
        let names = plan.names
        #expect(plan.isWhole && names[7] == Array("000007".utf8) && Set(names).count == 1_000)
        #expect(names.allSatisfy { $0.count == 6 })
    }
}
