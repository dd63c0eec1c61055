// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkTransport

@Suite("The choice among several endpoints", .computing)
struct EndpointChoiceTests {
    private static func key(_ number: UInt64) -> RequestKey {
        RequestKey(client: UUIDv7(high: 1, low: 2), sequence: number)
    }

    private static let away = ServiceError(.unavailable, "Not now.")

    /// The key of a greeting.
    private static func key(of greeting: [[UInt8]]) throws -> RequestKey {
        try #require(greeting[1].withUnsafeBytes { RequestHeader($0) }).key
    }

    @Test("only the answer to one of its own greetings is a verdict, and refusals to serve and to understand are two")
    func verdicts() throws {
        var choice = EndpointChoice(count: 2, versions: 1...1, now: 0)
        let key = try Self.key(of: choice.greet(0))
        let again = try Self.key(of: choice.greet(1))
        #expect(key != again)
        let welcome = WireReply.with { $0.welcome.protocol = 1 }.encoded
        for other in [Self.key(1), nil] {
            let verdict = choice.heard(other, welcome, 2)
            #expect(verdict == nil)
        }
        guard case .welcome? = choice.heard(key, welcome, 2) else {
            Issue.record("a welcome")
            return
        }
        guard case .notServing? = choice.heard(again, WireReply(Self.away).encoded, 2),
            case .refused? = choice.heard(key, WireReply(ServiceError(.denied, "No.")).encoded, 2)
        else {
            Issue.record("refusals")
            return
        }
    }

    @Test("the first refusal asks for a greeting; a welcome hands all of them on, once, and a change of endpoint none")
    func refusals() {
        var choice = EndpointChoice(count: 2, versions: 1...1, now: 0)
        let begun = choice.welcomed(10)
        #expect(begun.begins)
        let refusal = (header: ReplyHeader(), body: WireReply(Self.away).encoded)
        let (first, second) = (choice.keep(refusal, of: Self.key(1)), choice.keep(refusal, of: Self.key(2)))
        #expect(first && !second)
        let (begins, refusals) = choice.welcomed(20)
        #expect(!begins && Set(refusals.keys) == [Self.key(1), Self.key(2)])
        let later = choice.welcomed(30)
        #expect(later.refusals.isEmpty)
        _ = choice.keep(refusal, of: Self.key(3))
        choice.failed(nil, 40)
        let elsewhere = choice.welcomed(50)
        #expect(elsewhere.refusals.isEmpty)
    }

    @Test("why the endpoint before was left is known until one serves")
    func reasons() {
        var choice = EndpointChoice(count: 2, versions: 1...1, now: 0)
        choice.failed(.unreachable, 10)
        choice.failed(nil, 20)
        #expect(choice.failureBefore == .unreachable && choice.failover.current == 0)
        _ = choice.welcomed(30)
        #expect(choice.failureBefore == nil)
    }
}
