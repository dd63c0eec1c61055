// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import ZeroMQ

@Suite("Broken questions about who may connect", .inShortTurn)
struct ZAPFuzzTests {
    /// With the messages of the tests for signing in these are more than 100,000.
    private static let messages = 70_000
    /// Asked before the answers are read.
    private static let batch = 100

    @Test("each is answered, and nobody is admitted but who shows a known key in the right place", arguments: [1, 2])
    func broken(seed: UInt64) async throws {
        let (known, other) = (try CurveKeyPair.generate().publicKey, try CurveKeyPair.generate().publicKey)
        let context = try Context()
        let handler = try await ZAPHandler(context: context)
        await handler.decide(for: "d") { request in
            guard case .curve(let key) = request.credentials, key == known else { return .refuse }
            return .admit(userID: "ann")
        }
        try await withLoop { loop in
            let asker = Peer(loop)
            try await asker.open(.dealer, context)
            try await asker.connect(ZAPHandler.endpoint)
            var random = SplitMix64(seed: seed)
            var counts: [String: Int] = [:]
            for _ in 0..<Self.messages / 2 / Self.batch {
                var questions: [[[UInt8]]] = []
                for number in 0..<Self.batch {
                    let question = Self.question(number, known: known, other: other, &random)
                    questions.append(question)
                    #expect(try await asker.send([[]] + question) == .sent)
                }
                for question in questions {
                    let answer = Array(try await asker.next().dropFirst())
                    let status = String(decoding: answer.count == 6 ? answer[2] : [], as: UTF8.self)
                    counts[status, default: 0] += 1
                    #expect(answer.count == 6 && ["200", "400", "500"].contains(status))
                    #expect((status == "200") == Self.isRight(question, known), "\(question)")
                    #expect(answer[4].isEmpty == (status != "200"))
                }
            }
            // All three ways were taken, or the questions are no good.
            for status in ["200", "400", "500"] { #expect(counts[status, default: 0] > 100, "\(counts)") }
        }
        // It still decides.
        #expect(handler.isRunning)
        await handler.stop()
        context.terminate()
    }

    /// What RFC 27 asks for, told without the handler's own code.
    private static func isRight(_ question: [[UInt8]], _ known: CurveKey) -> Bool {
        question.count == 7 && question[0] == Array("1.0".utf8) && question[2] == Array("d".utf8)
            && question[5] == Array("CURVE".utf8) && question[6] == known.bytes
    }

    /// A request of RFC 27, most often broken in one or two places.
    private static func question(
        _ number: Int, known: CurveKey, other: CurveKey, _ random: inout SplitMix64
    ) -> [[UInt8]] {
        let mechanism = ["CURVE", "CURVE", "CURVE", "NULL", "PLAIN"][Int(random.next() % 5)]
        let shown: [[UInt8]] =
            switch mechanism {
            case "CURVE": [random.next() % 4 == 0 ? other.bytes : known.bytes]
            case "PLAIN": [Array("ann".utf8), known.bytes]
            default: []
            }
        var frames: [[UInt8]] =
            ["1.0", "\(number)", random.next() % 8 == 0 ? "e" : "d", "127.0.0.1", "", mechanism].map { Array($0.utf8) }
            + shown
        for _ in 0..<random.next() % 3 where !frames.isEmpty {
            let place = Int(random.next() % UInt64(frames.count))
            switch random.next() % 8 {
            case 0: frames.remove(at: place)
            case 1: frames.insert(frames[place], at: place)
            case 2: frames.swapAt(place, Int(random.next() % UInt64(frames.count)))
            case 3: frames[place] = []
            case 4: frames[place] += frames[place]
            case 5: frames[place] = (0..<random.next() % 600).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            case 6: frames[place] = Array(frames[place].dropLast())
            default:
                guard !frames[place].isEmpty else { continue }
                let byte = Int(random.next() % UInt64(frames[place].count))
                frames[place][byte] ^= 1 << UInt8(random.next() % 8)
            }
        }
        // A question without any frame cannot be sent.
        return frames.isEmpty ? [[]] : frames
    }
}
