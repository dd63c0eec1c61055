// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import WaymarkProtocol
import WaymarkTransport

@testable import WaymarkClient

@Suite("What a client reports about a failed request", .inShortTurn)
struct RequestOutcomeTests {
    private static func outcome(isWrite: Bool = true) -> RequestOutcome {
        RequestOutcome(isWrite: isWrite, endpoint: "tcp://x:1")
    }

    private static func isOpen(_ error: ClientError?) -> Bool {
        if case .mayBeDone? = error { true } else { false }
    }

    private static func answered(unanswered: Int) -> ChannelOutcome {
        .answered(ReplyHeader(), body: [], unanswered: unanswered)
    }

    private static let ends: [ChannelOutcome] = [
        .notConnected, .tooMany, .cancelled(copies: 0), .closed(copies: 0),
    ]

    @Test("opening hours at times that nobody can show are not read")
    func openings() throws {
        let wire = WireOpening.with { ($0.until, $0.offset) = (1_795_388_400_000, 39_600) }
        #expect(try Opening(encoded: wire.encoded).offset == 39_600)
        for (until, offset) in [(UInt64.max, 0), (1 << 63, 1), (1, .max), (1, .min)] as [(UInt64, Int32)] {
            let error = #expect(throws: ClientError.self) {
                try Opening(encoded: WireOpening.with { ($0.until, $0.offset) = (until, offset) }.encoded)
            }
            guard case .unreadableAnswer("opening hours")? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("a request that was never sent was not done, however it ends", arguments: ends)
    func neverSent(end: ChannelOutcome) {
        var outcome = Self.outcome()
        // The only copy was answered.
        #expect(outcome.end(Self.answered(unanswered: 0), because: nil) == nil)
        #expect(!Self.isOpen(outcome.end(end, because: nil)))
    }

    @Test("after an unanswered copy, every end leaves the outcome open", arguments: ends)
    func sentBefore(end: ChannelOutcome) {
        var outcome = Self.outcome()
        #expect(outcome.end(Self.answered(unanswered: 1), because: nil) == nil)
        #expect(Self.isOpen(outcome.end(end, because: nil)))
    }

    private static let endsUnderWay: [ChannelOutcome] = [.timedOut, .cancelled(copies: 1), .closed(copies: 2)]

    @Test("ending a request while a copy is in flight leaves the outcome open", arguments: endsUnderWay)
    func underWay(end: ChannelOutcome) {
        var (outcome, read) = (Self.outcome(), Self.outcome(isWrite: false))
        #expect(Self.isOpen(outcome.end(end, because: nil)))
        #expect(!Self.isOpen(read.end(end, because: nil)))
    }

    @Test("a refusal settles the outcome only if every copy would have got the same one", arguments: ErrorCode.allCases)
    func refusals(code: ErrorCode) {
        let refusal = ClientError.refused(ServiceError(code, "No."))
        var outcome = Self.outcome()
        #expect(Self.isOpen(outcome.telling(refusal)) == (code == .forgotten))
        outcome.left(unanswered: 1)
        let verdicts: [ErrorCode] = [
            .badFrame, .denied, .notFound, .versionMismatch, .tooLarge, .invalid, .wrongPassword,
        ]
        #expect(Self.isOpen(outcome.telling(refusal)) == !verdicts.contains(code))
    }

    @Test("the message contains the last error, once")
    func sentences() {
        var outcome = Self.outcome()
        outcome.left(unanswered: 1)
        for error in [
            ClientError.cannotConnect(endpoint: "tcp://x:1", reason: nil), .timedOut(endpoint: "tcp://x:1"), .tooMany,
            .cancelled, .closed, .unreadableAnswer("reply"), .refused(ServiceError(.busy, "Too much.")),
        ] {
            let text = outcome.telling(outcome.telling(error)).description
            #expect(text.components(of: "The request may have been done") == 1, "\(text)")
            #expect(!text.contains("Try again"), "\(text)")
        }
    }
}

extension String {
    /// How often `part` occurs in the text.
    fileprivate func components(of part: String) -> Int {
        indices.filter { self[$0...].hasPrefix(part) }.count
    }
}
